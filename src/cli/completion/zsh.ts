import { commands } from '../commands/index.ts'
import type { OptionName } from '../option-table.ts'
import { optionNames, rowOf } from '../option-table.ts'
import type { Choice } from './choices.ts'
import { behind, choiceOf, optionsFor, sessionIds, spellings } from './choices.ts'

/** The script for zsh: to be read behind `compinit`, or put into a folder of `$fpath` as `_lena`. */
export function zshCompletion(): string {
  const valued = optionNames
    .filter((name) => rowOf(name).value !== undefined && rowOf(name).optional === undefined)
    .flatMap(spellings)
    .join('|')
  return `#compdef lena
# Completion of lena for zsh.
_lena_sessions() { compadd -- \${(f)"$(${sessionIds})"} }
_lena() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
    'help:more on a command'
  )
  local command i
  for ((i = 2; i < CURRENT; i++)); do
    case \${words[i]} in
      (${valued}) ((i++)) ;;
      (-*) ;;
      (*) command=\${words[i]}; break ;;
    esac
  done
  case $command in
${commands
  .map(
    (command) => `    ${command.name})
      _arguments ${specs(optionsFor(command))} '1: :' ${command.verbs ? quoted(`2: :(${command.verbs.join(' ')})`) : "'2: :'"} ${quoted(`*: :{${behindOf(command.name)}}`)} ;;`,
  )
  .join('\n')}
    help) compadd -- ${commands.map(({ name }) => name).join(' ')} ;;
    *) _arguments ${specs(optionsFor(undefined))} '1: :{_describe command commands}' '*: :_files' ;;
  esac
}
if [[ \${funcstack[1]} == _lena ]]; then _lena "$@"; else compdef _lena lena; fi
`
}

const behindOf = (name: string): string =>
  behind
    .filter(({ command }) => command === name)
    .map(
      ({ verb, choice }) =>
        `(( \${words[(I)${verb}]} )) && ${'words' in choice ? `compadd -- ${choice.words.join(' ')}` : '_lena_sessions'}`,
    )
    .join('; ') || '_files'

const specs = (names: readonly OptionName[]): string =>
  names
    .flatMap((name) => spellings(name).map((spelling) => quoted(`${rowOf(name).isList ? '*' : ''}${spelling}${explained(name)}`)))
    .join(' ')

function explained(name: OptionName): string {
  const { help, value, optional } = rowOf(name)
  const text = help.replaceAll(/[[\]:]/g, '\\$&')
  return `[${text}]${value === undefined ? '' : `${optional ? '::' : ':'}${value}:${looked(choiceOf(name))}`}`
}

function looked(choice: Choice): string {
  if (!choice) return ''
  if ('words' in choice) return `(${choice.words.join(' ')})`
  return { files: '_files', folders: '_files -/', sessions: '_lena_sessions' }[choice.look]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
