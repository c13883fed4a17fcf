import type { Access, CommandForm } from '../../tools/access.ts'
import { callsOf } from './calls.ts'
import type { Calls } from './calls.ts'
import type { Surroundings } from './hard-list.ts'
import { nothingLost, placesOf } from './places.ts'
import type { Places } from './places.ts'
import { isHarmlessName, isReader } from './read-only.ts'
import { nameOf, textOfWords } from './words.ts'
import type { Word } from './words.ts'

const maxPaths = 1000

/** What a command line may touch. What only reads is left out of `commands`. */
export function shellAccess(script: string, surroundings: Surroundings): Access {
  const found = callsOf(script)
  const { calls, guesses, commands, variables, isComplete } = found
  if (!isComplete) return { commands: [{ text: '', isOpen: true }], forms: [{ text: '', isOpen: true }], paths: [], isOpaque: true }
  const names = [...variables, ...commands.flatMap(({ assignments }) => assignments.map(({ name }) => name))]
  return {
    commands: calls.filter((call) => !isReader(call)).map(({ words }) => formOf(words)),
    forms: [...calls.map(({ words }) => words), ...guesses].flatMap(formsOf),
    paths: pathsOf(found, placesOf(surroundings)),
    isOpaque: found.isOpaque || !names.every(isHarmlessName),
  }
}

function formOf(words: readonly Word[]): CommandForm {
  const first = words.findIndex(({ isOpen }) => isOpen)
  if (first < 0) return { text: textOfWords(words), isOpen: false }
  const known = textOfWords(words.slice(0, first))
  return { text: first === 0 ? '' : `${known} `, isOpen: true }
}

/** As it was written, by the bare name of the program, and without the options that stand before a subcommand. */
function formsOf(words: readonly Word[]): readonly CommandForm[] {
  const [first, ...args] = words
  if (!first) return []
  const named = [{ ...first, text: nameOf(first) }, ...args]
  const forms = [words, named]
  const at = args.findIndex(({ text }) => !text.startsWith('-'))
  // Which of the words before it belong to options is not worked out: each may be the subcommand.
  for (let index = Math.max(at, 0); at !== 0 && index < args.length && index < 20; index++) forms.push([named[0]!, ...args.slice(index)])
  return forms.map(formOf)
}

function pathsOf({ calls, commands }: Calls, places: Places): Access['paths'] {
  const paths = new Map<string, { path: string; writes: boolean; isMentioned: boolean }>()
  const add = (word: Word, writes: boolean, isMentioned: boolean): void => {
    if (nothingLost.test(word.text) || paths.size >= maxPaths) return
    const ends = places.leadsTo(word)
    // Somewhere that is not known lies outside.
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
