import { mayRunValues } from './arithmetic.ts'
import type { Value } from './arithmetic.ts'
import { insideOf, wrapperNames } from './inside.ts'
import { parseScript } from './parse.ts'
import type { SimpleCommand } from './parse.ts'
import { rememberLast } from './remember-last.ts'
import { nameOf } from './words.ts'
import type { Word } from './words.ts'

/** One program or builtin that a script may start. */
export type Call = {
  readonly words: readonly Word[]
  /** The simple command in whose text it stands. */
  readonly command: SimpleCommand
  /** It stands in another one: behind a wrapper, in the text of `bash -c`. */
  readonly isNested: boolean
}

export type Calls = {
  readonly calls: readonly Call[]
  /** Each end of the words behind a wrapper. One of them is what it runs, also where its options are not known. */
  readonly guesses: readonly (readonly Word[])[]
  readonly commands: readonly SimpleCommand[]
  readonly variables: readonly string[]
  /** Patterns that bash looks up for no command. */
  readonly lookedUp: readonly Word[]
  readonly isComplete: boolean
  /** It may run what does not stand in the text: a name in a variable, a shell that reads a pipe, a value that is worked out. */
  readonly isOpaque: boolean
  /** It defines functions: by the name of a program something else may run. */
  readonly hasFunctions: boolean
}

/** How deep scripts may stand in scripts, and how many calls a script may have; with more it counts as not understood. */
const maxDepth = 8
const maxCalls = 2000
const maxGuesses = 200

/** Every call in a script, through substitutions, wrappers, `eval` and `bash -c`. */
export const callsOf = rememberLast(callsIn)

function callsIn(script: string): Calls {
  const calls: Call[] = []
  const guesses: (readonly Word[])[] = []
  const commands: SimpleCommand[] = []
  const variables: string[] = []
  const worked: string[] = []
  const lookedUp: Word[] = []
  const values: Value[] = []
  let isComplete = true
  let isOpaque = false
  let hasFunctions = false

  const addScript = (text: string, depth: number): void => {
    const parsed = parseScript(text)
    if (!parsed.isComplete || depth > maxDepth || commands.length + parsed.commands.length > maxCalls) {
      isComplete = false
      return
    }
    isOpaque ||= parsed.isHidden
    hasFunctions ||= parsed.functions.length > 0
    commands.push(...parsed.commands)
    variables.push(...parsed.variables)
    worked.push(...parsed.worked)
    lookedUp.push(...parsed.lookedUp)
    values.push(...parsed.values)
    for (const command of parsed.commands) if (command.words.length > 0) addCall(command.words, command, depth, depth > 0)
  }
  const addCall = (words: readonly Word[], command: SimpleCommand, depth: number, isNested: boolean): void => {
    if (depth > maxDepth || calls.length >= maxCalls) {
      isComplete = false
      return
    }
    calls.push({ words, command, isNested })
    const inside = insideOf(words, command)
    isOpaque ||= inside.isOpaque
    if (wrapperNames.has(nameOf(words[0]))) {
      if (words.length > maxGuesses) isComplete = false
      else for (let at = 1; at < words.length; at++) guesses.push(words.slice(at))
    }
    for (const text of inside.scripts) addScript(text, depth + 1)
    for (const nested of inside.calls) addCall(nested, command, depth + 1, true)
  }

  addScript(script, 0)
  isOpaque ||= mayRunValues(
    worked,
    values,
    calls.map(({ words }) => words),
  )
  return { calls, guesses, commands, variables, lookedUp, isComplete, isOpaque, hasFunctions }
}
