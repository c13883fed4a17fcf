import { OverloadedError, ThrottledError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { RetryOptions } from '../models/retry-policy.ts'
import { isBroken, retryDefaults, retryDelay } from '../models/retry-policy.ts'

/** Runs before hooks of users, which may then change what it decided. `after…` hooks run in reverse, so it is the last in order. */
const order = 100

/**
 * Has a failed call of the model tried again: a plug-in on `afterModelCall` like any other. The loop knows nothing of
 * throttling.
 */
export function retry(options: RetryOptions = {}): Plugin {
  return {
    name: 'retry',
    setup(agent) {
      // Broken attempts of the turn under way. Keyed by the run's signal, so that nothing outlives the run.
      const broken = new WeakMap<AbortSignal, { turn: number; count: number }>()
      agent.on(
        'afterModelCall',
        (event) => {
          if (!event.error) return
          const known = broken.get(event.signal)
          // The first attempt of a turn, or of the model that took over.
          const count = known?.turn === event.turn && event.attempt > 1 ? known.count : 0
          if (isBroken(event.error)) broken.set(event.signal, { turn: event.turn, count: count + 1 })
          const delayMs = retryDelay(event.error, event.attempt, count, options)
          const asked =
            event.error instanceof ThrottledError || event.error instanceof OverloadedError ? event.error.retryAfterMs : undefined
          const maxMs = options.maxMs ?? retryDefaults.maxMs
          if (asked !== undefined && asked > maxMs)
            agent.warn(
              'retry_after_too_long',
              `The provider asks to wait ${Math.ceil(asked / 1000)} s, and a run waits at most ${maxMs / 1000} s (retry.maxMs). It is not tried again.`,
            )
          if (delayMs !== undefined)
            event.retry = { delayMs, reason: event.error.code, maxAttempts: options.maxAttempts ?? retryDefaults.maxAttempts }
        },
        { order },
      )
    },
  }
}
