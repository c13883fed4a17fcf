import { commands } from '../commands/index.ts'
import type { OptionName } from '../option-table.ts'
import { optionNames, rowOf } from '../option-table.ts'
import type { Choice } from './choices.ts'
import { behind, choiceOf, firstWords, optionsFor, sessionIds, spellings } from './choices.ts'

/** The script for bash. It needs nothing of the bash-completion package. */
export function bashCompletion(): string {
  const valued = optionNames.filter((name) => rowOf(name).value !== undefined)
  return `# Completion of lena for bash.
_lena() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= verb= word i
  COMPREPLY=()
  case $prev in
${valued.map((name) => `    ${spellings(name).join('|')}) ${reply(choiceOf(name))}${isAlone(name) ? '; [[ ${#COMPREPLY[@]} -gt 0 ]] && return' : '; return'} ;;`).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${valued
        .filter((name) => !isAlone(name))
        .flatMap(spellings)
        .join('|')}) ((i++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=$word; elif [[ -z $verb ]]; then verb=$word; fi ;;
    esac
  done
  if [[ $cur == -* ]]; then
    case $command in
${commands.map((command) => `      ${command.name}) ${reply({ words: optionsFor(command).map((name) => `--${name}`) })} ;;`).join('\n')}
      *) ${reply({ words: optionsFor(undefined).map((name) => `--${name}`) })} ;;
    esac
    return
  fi
  case "$command $verb" in
    ' ') ${reply({ words: firstWords })} ;;
    'help ') ${reply({ words: commands.map(({ name }) => name) })} ;;
${commands
  .filter(({ verbs }) => verbs)
  .map(({ name, verbs }) => `    '${name} ') ${reply({ words: verbs! })} ;;`)
  .join('\n')}
${behind.map(({ command, verb, choice }) => `    '${command} ${verb}') ${reply(choice)} ;;`).join('\n')}
  esac
}
complete -o bashdefault -o default -F _lena lena
`
}

const isAlone = (name: OptionName): boolean => rowOf(name).optional !== undefined

function reply(choice: Choice): string {
  if (!choice) return ':'
  if ('words' in choice) return `COMPREPLY=($(compgen -W '${choice.words.join(' ')}' -- "$cur"))`
  if (choice.look === 'sessions') return `COMPREPLY=($(compgen -W "$(${sessionIds})" -- "$cur"))`
  // One name a line, so that blanks in it stay.
  return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -${choice.look === 'files' ? 'f' : 'd'} -- "$cur")`
}
