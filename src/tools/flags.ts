import { settle } from '../util/abort.ts'
import { isThenable } from '../util/bounded.ts'
import type { ConcurrencyFlag, Flag, Tool } from './tool.ts'

/** The flags of one call, decided for its input. `safe` may be a key: calls of one key run one after another. */
export type ToolFlags = {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly safe: boolean | string
  /** Must a person approve it? */
  readonly approval: boolean
}

/** What is assumed of a call that nothing is known of. */
export const unknownFlags: ToolFlags = Object.freeze({ readOnly: false, destructive: true, safe: false, approval: true })

/** The flags for this input. A flag that throws, or gives what is no flag (a promise is none), counts as the careful answer. */
export function flagsOf(tool: Tool, input: unknown): ToolFlags {
  return {
    readOnly: flag(tool.isReadOnly, input, false),
    destructive: flag(tool.isDestructive, input, true),
    safe: concurrency(tool.isConcurrencySafe, input),
    approval: flag(tool.needsApproval, input, true),
  }
}

function flag(given: Flag<any> | undefined, input: unknown, onThrow: boolean): boolean {
  if (typeof given !== 'function') return given === true
  const answer = ask(given, input)
  return typeof answer === 'boolean' ? answer : onThrow
}

function concurrency(given: ConcurrencyFlag<any> | undefined, input: unknown): boolean | string {
  if (typeof given !== 'function') return given ?? false
  const answer = ask(given, input)
  return typeof answer === 'boolean' || typeof answer === 'string' ? answer : false
}

function ask(flag: (input: any) => unknown, input: unknown): unknown {
  try {
    const answer = flag(input)
    // Flags are asked in passing; an async one is refused, and its rejection must not go unhandled.
    if (isThenable(answer)) void settle(answer)
    return answer
  } catch {
    return undefined
  }
}
