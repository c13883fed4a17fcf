import type { ToolResultCode } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'

/** A tool call as a piece of work wants it. */
export type Call = { readonly tool: string; readonly input: JsonObject }

/** What came of a call: the tool's words, and whether it failed. */
export type Outcome = { readonly status: 'success' | 'error'; readonly code?: ToolResultCode | undefined; readonly text: string }

/**
 * Work that needs tools, written as if they were at hand: it yields the calls that it waits for, several at once where they
 * do not need each other, and gets their outcomes in the same order. It must do the same on the same outcomes, because it is
 * run again from its beginning in every turn.
 */
export type Work<T> = Generator<readonly Call[], T, readonly Outcome[]>

/** Works on several things side by side: the calls that they wait for at the same time become one step. */
export function* all<T>(works: readonly Work<T>[]): Work<readonly T[]> {
  const running = works.map((work) => ({ work, step: work.next() }))
  for (;;) {
    const calls: Call[] = []
    for (const { step } of running) if (!step.done) calls.push(...step.value)
    if (calls.length === 0) break
    const outcomes = yield calls
    let at = 0
    for (const entry of running) {
      if (entry.step.done) continue
      const count = entry.step.value.length
      entry.step = entry.work.next(outcomes.slice(at, at + count))
      at += count
    }
  }
  return running.map(({ step }) => step.value as T)
}

/** Work that is already done. */
// oxlint-disable-next-line require-yield
export function* done<T>(value: T): Work<T> {
  return value
}

/** Two calls are the same when they would do the same; the order of the properties does not matter. */
export const keyOf = ({ tool, input }: Call): string =>
  `${tool} ${JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))}`
