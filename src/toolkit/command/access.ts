import type { Access, CommandForm } from '../../tools/access.ts'
import { callsOf } from './calls.ts'
import type { Calls } from './calls.ts'
import type { Surroundings } from './hard-list.ts'
import { nothingLost, placesOf } from './places.ts'
import type { Places } from './places.ts'
import { isHarmlessName, readersIn } from './read-only.ts'
import { literal, nameOf, textOfWords } from './words.ts'
import type { Word } from './words.ts'

const maxPaths = 1000

/** What a command line may touch. What only reads is left out of `commands`. */
export function shellAccess(script: string, surroundings: Surroundings): Access {
  const found = callsOf(script)
  const { calls, guesses, commands, variables, isComplete } = found
  if (!isComplete) return { commands: [{ text: '', isOpen: true }], forms: [{ text: '', isOpen: true }], paths: [], isOpaque: true }
  const names = [...variables, ...commands.flatMap(({ assignments }) => assignments.map(({ name }) => name))]
  const reads = readersIn(found, surroundings)
  return {
    commands: calls.filter((call) => !reads(call)).map(({ words }) => plainForm(words)),
    forms: [...calls.map(({ words }) => words), ...guesses].flatMap(formsOf),
    paths: pathsOf(found, placesOf(surroundings)),
    isOpaque: found.isOpaque || !names.every(isHarmlessName),
  }
}

/** What rules that allow are compared with. A name with a space in it would pass for a name and an argument. */
const plainForm = (words: readonly Word[]): CommandForm => (/\s/.test(words[0]?.text ?? '') ? { text: '', isOpen: true } : formOf(words))

function formOf(words: readonly Word[], isSure = ({ isOpen }: Word): boolean => !isOpen): CommandForm {
  const first = words.findIndex((word) => !isSure(word))
  if (first < 0) return { text: textOfWords(words), isOpen: false }
  const known = textOfWords(words.slice(0, first))
  return { text: first === 0 ? '' : `${known} `, isOpen: true }
}

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
  for (let index = Math.max(at, 0); at !== 0 && index < args.length && index < 20; index++) forms.push([named[0]!, ...args.slice(index)])
  // A pattern may find a file whose name is the word that the rule speaks of.
  return forms.map((form) => formOf(form, ({ isOpen, isPattern }) => !isOpen && !isPattern))
}

function pathsOf({ calls, commands, variables }: Calls, places: Places): Access['paths'] {
  for (const name of [...variables, ...commands.flatMap(({ assignments }) => assignments.map((assigned) => assigned.name))])
    places.sets(name)
  if (calls.some(({ words }) => nameOf(words[0]) === 'shopt')) places.loosen()
  const paths = new Map<string, { path: string; writes: boolean; isMentioned: boolean }>()
  const add = (word: Word, writes: boolean, isMentioned: boolean): void => {
    if (nothingLost.test(word.text)) return
    const ends = paths.size < maxPaths ? places.leadsTo(word) : []
    // Somewhere that is not known lies outside, and so does what is too much to look at.
    for (const path of ends.length > 0 ? ends : ['/']) {
      const before = paths.get(path)
      paths.set(path, { path, writes: writes || (before?.writes ?? false), isMentioned: isMentioned && (before?.isMentioned ?? true) })
    }
  }
  for (const { words } of calls) {
    const name = nameOf(words[0])
    if (name === 'cd' || name === 'pushd') {
      if (words[1]) add(words[1], false, true)
      places.enter(words[1])
    } else if (name === 'popd') places.enter(undefined)
    else if (!/^(echo|printf|:)$/.test(name)) {
      for (const word of words.slice(1)) {
        const value = word.text.startsWith('-') ? word.text.replace(/^(--?[\w-]+=|-[a-zA-Z](?=[/~.]))/, '') : word.text
        if (!value.startsWith('-') && value !== '' && !word.isOpen && !/^\w+:\/\//.test(value)) add({ ...word, text: value }, false, true)
        else if (word.isOpen && /^["~/.]*[$`]|\//.test(value) && !value.startsWith('$(')) add(word, false, true)
      }
    }
  }
  for (const { writesTo, readsFrom } of commands) {
    for (const word of writesTo) add(word, true, false)
    for (const word of readsFrom) add(word, false, true)
  }
  return [...paths.values()]
}
