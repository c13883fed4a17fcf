import { IncompleteStreamError, NetworkError, OverloadedError, ThrottledError } from '../errors.ts'
import type { AgentError } from '../errors.ts'

export type RetryOptions = {
  /** Attempts in all. Default 6. */
  readonly maxAttempts?: number | undefined
  /** The first wait, in milliseconds; each further one is twice as long. Default 4,000. */
  readonly baseMs?: number | undefined
  /** The longest wait, in milliseconds. Default 240,000. */
  readonly maxMs?: number | undefined
  /** Spread the waits at random between half and the whole of each. Default false: 4, 8, 16, 32, 64 s. */
  readonly jitter?: boolean | undefined
}

export const retryDefaults = { maxAttempts: 6, baseMs: 4000, maxMs: 240_000, jitter: false } as const

/** A connection that was refused, or broke in mid-stream, is tried again this often. */
const maxBrokenRetries = 2

/**
 * How long to wait before another attempt, in milliseconds, or `undefined` when there is none: throttled and overloaded are
 * tried again with growing waits, broken connections at most twice, nothing else. What the provider asks for wins over the
 * own wait, unless it is longer than the longest.
 *
 * @param attempt the attempt that failed, from 1.
 * @param broken how many attempts before this one had a broken connection.
 */
export function retryDelay(
  error: AgentError,
  attempt: number,
  broken: number,
  options: RetryOptions = {},
  random: () => number = Math.random,
): number | undefined {
  const { maxAttempts, baseMs, maxMs, jitter } = { ...retryDefaults, ...defined(options) }
  if (attempt >= maxAttempts || !isRetried(error, broken)) return undefined
  const asked = error instanceof ThrottledError || error instanceof OverloadedError ? error.retryAfterMs : undefined
  if (asked !== undefined) return asked > maxMs ? undefined : asked
  const wait = Math.min(maxMs, baseMs * 2 ** (attempt - 1))
  return jitter ? Math.round(wait * (0.5 + random() / 2)) : wait
}

export const isBroken = (error: AgentError): boolean => error instanceof IncompleteStreamError || error instanceof NetworkError

function isRetried(error: AgentError, broken: number): boolean {
  if (error instanceof ThrottledError || error instanceof OverloadedError) return error.retryable
  return isBroken(error) && broken < maxBrokenRetries
}

function defined(options: RetryOptions): { readonly [K in keyof RetryOptions]?: Exclude<RetryOptions[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
