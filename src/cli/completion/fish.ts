import { commands } from '../commands/index.ts'
import type { OptionName } from '../option-table.ts'
import { optionNames, rowOf } from '../option-table.ts'
import type { Choice } from './choices.ts'
import { behind, choiceOf, optionsFor, sessionIds } from './choices.ts'

/** The script for fish. */
export function fishCompletion(): string {
  const names = commands.map(({ name }) => name)
  const first = `not __fish_seen_subcommand_from ${names.join(' ')} help`
  return [
    '# Completion of lena for fish.',
    ...commands.map(({ name, summary }) => line({ when: first, a: name, d: summary, f: true })),
    line({ when: first, a: 'help', d: 'more on a command', f: true }),
    line({ when: '__fish_seen_subcommand_from help', a: names.join(' '), f: true }),
    ...commands.flatMap(({ name, verbs }) =>
      verbs
        ? [
            line({
              when: `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${verbs.join(' ')}`,
              a: verbs.join(' '),
              f: true,
            }),
          ]
        : [],
    ),
    ...behind.map(({ command, verb, choice }) =>
      line({ when: `__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${verb}`, a: words(choice), f: true }),
    ),
    ...optionNames.flatMap((name) => {
      const takers = commands.filter((command) => optionsFor(command).includes(name)).map((command) => command.name)
      return [
        ...(optionsFor(undefined).includes(name) ? [option(name, first)] : []),
        ...(takers.length > 0 ? [option(name, `__fish_seen_subcommand_from ${takers.join(' ')}`)] : []),
      ]
    }),
    '',
  ].join('\n')
}

function option(name: OptionName, when: string): string {
  const { short, value, help } = rowOf(name)
  const choice = choiceOf(name)
  const looksUp = choice && 'look' in choice && choice.look !== 'sessions'
  return `complete -c lena -n ${quoted(when)} -l ${name}${short === undefined ? '' : ` -s ${short}`}${value === undefined ? '' : looksUp ? ' -r -F' : ` -x${choice ? ` -a ${quoted(words(choice))}` : ''}`} -d ${quoted(help)}`
}

const line = ({ when, a, d, f }: { readonly when: string; readonly a: string; readonly d?: string; readonly f: boolean }): string =>
  `complete -c lena${f ? ' -f' : ''} -n ${quoted(when)} -a ${quoted(a)}${d === undefined ? '' : ` -d ${quoted(d)}`}`

const words = (choice: NonNullable<Choice>): string => ('words' in choice ? choice.words.join(' ') : `(${sessionIds})`)

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
