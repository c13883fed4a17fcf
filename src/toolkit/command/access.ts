import type { Access, CommandForm } from '../../tools/access.ts'
import { setsByFormat } from './arithmetic.ts'
import { callsOf } from './calls.ts'
import type { Call } from './calls.ts'
import { callsBehindWords, formsInWords } from './in-words.ts'
import { wrapperNames } from './inside.ts'
import type { Surroundings } from './hard-list.ts'
import { pathsOf } from './mentions.ts'
import { placesOf } from './places.ts'
import { isHarmlessName, readersIn } from './read-only.ts'
import { literal, nameOf, textOfWords, unknown as anything } from './words.ts'
import type { Word } from './words.ts'

/** What a command line may touch. What only reads is left out of `commands`. */
export function shellAccess(script: string, surroundings: Surroundings): Access {
  const found = callsOf(script)
  const { calls, guesses, commands, variables, isComplete } = found
  if (!isComplete) return { commands: [{ text: '', isOpen: true }], forms: [{ text: '', isOpen: true }], paths: [], isOpaque: true }
  const names = [
    ...variables,
    ...commands.flatMap(({ assignments }) => assignments.map(({ name }) => name)),
    ...calls.flatMap(({ words }) => setBy(words)),
  ]
  const reads = readersIn(found, surroundings)
  return {
    commands: calls.filter((call) => !reads(call)).map(({ words }) => plainForm(words)),
    forms: [...[...calls.map(({ words }) => words), ...guesses].flatMap(formsOf), ...calls.flatMap(guessedForms)],
    paths: pathsOf(found, placesOf(surroundings)),
    isOpaque: found.isOpaque || !names.every(isHarmlessName),
  }
}

/** What a program may run that is no shell and no wrapper. */
const guessedForms = (call: Call): readonly CommandForm[] => [
  ...(wrapperNames.has(nameOf(call.words[0])) ? [] : callsBehindWords(call.words).flatMap(formsOf)).map((form) => ({
    ...form,
    isGuess: true,
  })),
  ...formsInWords(call),
]

/** Variables that a builtin sets, or may: it is given their names. */
function setBy([first, ...args]: readonly Word[]): readonly string[] {
  const name = nameOf(first)
  const isSetter = /^(read|mapfile|readarray|getopts|unset|wait)$/.test(name) || (name === 'printf' && args.some(setsName))
  return isSetter ? args.flatMap(({ text }) => /^(?:-\w*[vp])?([A-Za-z_]\w*)(\[.*)?$/s.exec(text)?.[1] ?? []) : []
}

const setsName = (word: Word): boolean => /^-\w*v/.test(word.text) || setsByFormat(word)

/** What rules that allow are compared with. A name with a space in it would pass for a name and an argument. */
const plainForm = (words: readonly Word[]): CommandForm => (/\s/.test(words[0]?.text ?? '') ? { text: '', isOpen: true } : formOf(words))

function formOf(words: readonly Word[], isSure = ({ isOpen }: Word): boolean => !isOpen): CommandForm {
  const first = words.findIndex((word) => !isSure(word))
  if (first < 0) return { text: textOfWords(words), isOpen: false }
  const known = textOfWords(words.slice(0, first))
  return { text: first === 0 ? '' : `${known} `, isOpen: true }
}

/** Words behind an option that may be the subcommand. */
const maxTries = 20

/** As it was written, by the bare name of the program, and without the options that stand before a subcommand. */
function formsOf(words: readonly Word[]): readonly CommandForm[] {
  const [first, ...args] = words
  if (!first) return []
  const name = nameOf(first)
  const named = [{ ...first, text: name }, ...args]
  const forms = [words, named]
  // Some systems take upper and lower case for one; and `git-push` is `git push`.
  if (name !== name.toLowerCase()) forms.push([{ ...first, text: name.toLowerCase() }, ...args])
  if (/^git-\w/.test(name)) forms.push([literal('git'), { ...first, text: name.slice(4) }, ...args])
  const at = args.findIndex(({ text }) => !text.startsWith('-'))
  // Which of the words before it belong to options is not worked out: each may be the subcommand.
  const tries = at === 0 ? 0 : args.length
  for (let index = Math.max(at, 0); index < Math.min(tries, maxTries); index++) forms.push([named[0]!, ...args.slice(index)])
  // Nor with more of them than are looked at.
  if (tries > maxTries) forms.push([named[0]!, anything])
  // A pattern may find a file whose name is the word that the rule speaks of.
  return forms.map((form) => formOf(form, ({ isOpen, isPattern }) => !isOpen && !isPattern))
}
