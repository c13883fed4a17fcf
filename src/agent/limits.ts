import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import { isOptions } from '../util/check-options.ts'
import { didYouMean } from '../util/text.ts'

/** Soft limits of one invocation, checked before each turn: a single huge reply may go over by a turn. */
export type Limits = {
  readonly turns?: number | undefined
  readonly totalTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

const keys = ['turns', 'totalTokens', 'outputTokens'] as const

/** @throws {InputError} for an unknown key, and for what is no positive integer. */
export function checkLimits(limits: unknown): Limits {
  if (limits === undefined) return {}
  if (!isOptions(limits)) throw new InputError(`\`limits\` must be an object such as { turns: 10 }, got ${describe(limits)}.`)
  for (const [key, value] of Object.entries(limits)) {
    if (!(keys as readonly string[]).includes(key))
      throw new InputError(`There is no limit "${key}".${didYouMean(key, keys)} Limits are: ${keys.join(', ')}.`)
    if (value !== undefined && (!Number.isInteger(value) || (value as number) < 1))
      throw new InputError(`limits.${key} must be a positive integer, got ${String(value)}.`)
  }
  // A limit that is undefined is not given: it must not take away one of the agent.
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

/** The limit that is reached, in fixed priority. */
export function reachedLimit(limits: Limits, turns: number, usage: Usage): StopReason | undefined {
  if (limits.turns !== undefined && turns >= limits.turns) return 'limit_turns'
  if (limits.totalTokens !== undefined && usage.totalTokens >= limits.totalTokens) return 'limit_total_tokens'
  if (limits.outputTokens !== undefined && usage.outputTokens >= limits.outputTokens) return 'limit_output_tokens'
  return undefined
}
