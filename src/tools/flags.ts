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

/**
 * The flags for this input: at once when each of them answers at once, else a promise, which never rejects but may stay pending. A flag
 * that throws, rejects or gives what is no flag counts as the careful answer; the others count as they are.
 */
export function flagsOf(tool: Tool, input: unknown): ToolFlags | Promise<ToolFlags> {
  const readOnly = flag(tool.isReadOnly, input, false)
  const destructive = flag(tool.isDestructive, input, true)
  const safe = concurrency(tool.isConcurrencySafe, input)
  const approval = flag(tool.needsApproval, input, true)
  // Most tools know at once, and nobody waits for them.
  if (typeof readOnly === 'boolean' && typeof destructive === 'boolean' && !(safe instanceof Promise) && typeof approval === 'boolean')
    return { readOnly, destructive, safe, approval }
  return together(readOnly, destructive, safe, approval)
}

type Later<T> = T | Promise<T>

async function together(
  readOnly: Later<boolean>,
  destructive: Later<boolean>,
  safe: Later<boolean | string>,
  approval: Later<boolean>,
): Promise<ToolFlags> {
  return { readOnly: await readOnly, destructive: await destructive, safe: await safe, approval: await approval }
}

function flag(given: Flag<any> | undefined, input: unknown, careful: boolean): Later<boolean> {
  if (typeof given !== 'function') return given === true
  const answer = ask(given, input)
  if (answer instanceof Promise) return answer.then((later) => (typeof later === 'boolean' ? later : careful))
  return typeof answer === 'boolean' ? answer : careful
}

function concurrency(given: ConcurrencyFlag<any> | undefined, input: unknown): Later<boolean | string> {
  if (typeof given !== 'function') return given ?? false
  const answer = ask(given, input)
  return answer instanceof Promise ? answer.then(booleanOrKey) : booleanOrKey(answer)
}

const booleanOrKey = (answer: unknown): boolean | string => (typeof answer === 'boolean' || typeof answer === 'string' ? answer : false)

/** Its answer; for a promise one that never rejects. What fails gives no answer. */
function ask(flag: (input: any) => unknown, input: unknown): unknown {
  try {
    const answer = flag(input)
    return isThenable(answer) ? settle(answer).then((settled) => (settled.ok ? settled.value : undefined)) : answer
  } catch {
    return undefined
  }
}
