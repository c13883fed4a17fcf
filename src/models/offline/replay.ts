import type { Call, Outcome, Work } from './work.ts'
import { keyOf } from './work.ts'

/** A call of this conversation and what it was answered with. */
export type Answered = { readonly call: Call; readonly outcome: Outcome }

export type Progress<T> = { readonly done: true; readonly value: T } | { readonly done: false; readonly calls: readonly Call[] }

/**
 * Runs work from its beginning on the answers that there are. Gives what comes of it, or the calls whose answers are still
 * missing. So nothing needs to be remembered between two requests.
 */
export function replay<T>(work: Work<T>, answered: readonly Answered[]): Progress<T> {
  const waiting = new Map<string, Outcome[]>()
  for (const { call, outcome } of answered) {
    const key = keyOf(call)
    waiting.set(key, [...(waiting.get(key) ?? []), outcome])
  }
  let step = work.next()
  while (!step.done) {
    const calls = step.value
    // The same call twice in one step is made once.
    const known = new Map<string, Outcome>()
    const missing = new Map<string, Call>()
    for (const call of calls) {
      const key = keyOf(call)
      if (known.has(key)) continue
      const outcome = waiting.get(key)?.shift()
      if (outcome) known.set(key, outcome)
      else missing.set(key, call)
    }
    if (missing.size > 0) return { done: false, calls: [...missing.values()] }
    step = work.next(calls.map((call) => known.get(keyOf(call))!))
  }
  return { done: true, value: step.value }
}
