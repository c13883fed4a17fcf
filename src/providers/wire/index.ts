import type { ModelError } from '../../errors.ts'
import { systemClock } from '../../util/clock.ts'
import { httpError as typedError, networkError as unreachable } from './http-error.ts'
import { headOfBody } from './read-body.ts'

export { sse } from './response-events.ts'
export type { SseOptions } from './response-events.ts'
export type { SseEvent } from './sse.ts'

/** The typed error for a response that is no success: throttled, overloaded, authentication, context overflow … Reads its body. */
export async function httpError(response: Response, provider: string): Promise<ModelError> {
  return typedError(response, await headOfBody(response), { provider }, systemClock.now())
}

/**
 * The typed error for a request that did not get through.
 *
 * @param host where it should have gone, for the message.
 */
export function networkError(cause: unknown, provider: string, host = 'the server'): ModelError {
  return unreachable(cause, provider, host)
}
