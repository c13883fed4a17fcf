import { createContext, Script } from 'node:vm'

/** Where the first match of each line begins, or -1. */
export type LineMatcher = (lines: readonly string[]) => readonly number[]

/** What a few hundred lines may take. An innocent pattern needs a hundredth of it. */
const timeoutMs = 2000

const script = new Script('lines.map((line) => { const at = line.search(pattern); return at })')

/**
 * Matches lines with an end: expressions of JavaScript may take for ever, and only a context of its own can be interrupted.
 *
 * @throws {Error} when a pattern takes too long.
 */
export function lineMatcher(pattern: RegExp): LineMatcher {
  const context: { pattern: RegExp; lines: readonly string[] } = { pattern, lines: [] }
  createContext(context)
  return (lines) => {
    context.lines = lines
    try {
      return script.runInContext(context, { timeout: timeoutMs }) as readonly number[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      throw new Error(
        'The pattern takes too long: it repeats what is repeated already. Write a simpler one, or search for a part of it with literal=true.',
        { cause: error },
      )
    }
  }
}
