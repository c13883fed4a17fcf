import type { StopReason } from '../index.ts'
import type { StopCause } from './stop.ts'

export const exitCodes = { done: 0, failed: 1, usage: 2, limit: 3, hangup: 129, cancelled: 130, closedPipe: 141, terminated: 143 } as const

/** The code for a run that ended with this stop reason. */
export function codeOfStop(stopReason: StopReason): number {
  if (stopReason === 'end_turn' || stopReason === 'stop_sequence') return exitCodes.done
  if (stopReason.startsWith('limit_')) return exitCodes.limit
  return stopReason === 'cancelled' ? exitCodes.cancelled : exitCodes.failed
}

/** The code for an error. The name of a model comes from the command line or the environment: a wrong one is wrong usage. */
export function codeOfError(error: unknown): number {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return code === 'usage' || code === 'model_not_found' ? exitCodes.usage : exitCodes.failed
}

/** The code for a run that was ended from outside: 128 and the number of the signal, as shells count. */
export const codeOfCause: Readonly<Record<StopCause, number>> = {
  interrupt: exitCodes.cancelled,
  terminate: exitCodes.terminated,
  hangup: exitCodes.hangup,
  closed_pipe: exitCodes.closedPipe,
}
