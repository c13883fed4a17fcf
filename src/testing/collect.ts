import type { AgentEvent } from '../agent/events.ts'
import type { AgentResult } from '../agent/result.ts'
import type { AgentStream } from '../agent/stream.ts'
import { AgentError, InputError, toAgentError } from '../errors.ts'
import { describe } from '../util/describe.ts'

/** A run that was read to its end: `result` of one that ended, `error` of one that failed. */
export type Collected = {
  readonly events: readonly AgentEvent[]
  readonly result: AgentResult | undefined
  readonly error: AgentError | undefined
}

/**
 * All events of a run, and its outcome. Never rejects for what happens in the run.
 *
 * @throws {InputError} for what is no stream.
 */
export async function collect(stream: AgentStream): Promise<Collected> {
  if (typeof (stream as Partial<AgentStream> | null | undefined)?.[Symbol.asyncIterator] !== 'function')
    throw new InputError(`collect() needs what agent.stream(…) gives, got ${describe(stream)}.`)
  const events: AgentEvent[] = []
  try {
    for await (const event of stream) events.push(event)
    return { events, result: await stream.result, error: undefined }
  } catch (error) {
    return { events, result: undefined, error: AgentError.isInstance(error) ? error : toAgentError(error, 'unknown', 'The stream failed') }
  }
}
