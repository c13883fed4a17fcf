import type { AgentEvent } from '../agent/events.ts'
import type { AgentResult } from '../agent/result.ts'
import type { AgentStream } from '../agent/stream.ts'
import { AgentError, toAgentError } from '../errors.ts'

/** A run that was read to its end: `result` of one that ended, `error` of one that failed. */
export type Collected = {
  readonly events: readonly AgentEvent[]
  readonly result: AgentResult | undefined
  readonly error: AgentError | undefined
}

/** All events of a run, and its outcome. Never rejects. */
export async function collect(stream: AgentStream): Promise<Collected> {
  const events: AgentEvent[] = []
  try {
    for await (const event of stream) events.push(event)
    return { events, result: await stream.result, error: undefined }
  } catch (error) {
    return { events, result: undefined, error: AgentError.isInstance(error) ? error : toAgentError(error, 'unknown', 'The stream failed') }
  }
}
