import { Cut, reasonOf, settleOrAbort } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { limitTime } from './execute.ts'
import { flagsOf, unknownFlags } from './flags.ts'
import type { ToolFlags } from './flags.ts'
import type { Tool } from './tool.ts'

/** It took longer than the tool's `timeoutMs`. */
export class TooSlow extends Error {}

/**
 * Waits for what decides of a call before it runs, but not longer than the signal or the tool's time.
 *
 * @throws {TooSlow} when the time is up; the signal's reason when it has fired; else what the promise rejects with.
 */
export async function inTime<T>(
  deciding: PromiseLike<T>,
  what: 'check of the input' | 'judgement of the call',
  tool: Tool,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<T> {
  if (!signal && tool.timeoutMs === undefined) return await deciding
  const cut = new Cut(signal)
  const time = limitTime(tool.timeoutMs, clock, cut)
  try {
    const settled = await settleOrAbort(deciding, cut)
    if (settled?.ok) return settled.value
    if (settled) throw settled.error
    if (!time.isUp()) throw reasonOf(cut)
    throw new TooSlow(`The ${what} of ${tool.name} took longer than ${tool.timeoutMs} ms and was given up. Nothing was run.`)
  } finally {
    cut.release()
    time.stop()
  }
}

/** The flags of a call for one who goes on without them: the careful ones when they do not come in time. */
export function flagsInTime(tool: Tool, input: unknown, signal: AbortSignal, clock: Clock): ToolFlags | Promise<ToolFlags> {
  const flags = flagsOf(tool, input)
  return flags instanceof Promise ? inTime(flags, 'judgement of the call', tool, signal, clock).catch(() => unknownFlags) : flags
}
