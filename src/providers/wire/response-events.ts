import { NetworkError } from '../../errors.ts'
import { onAbort, reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'
import { brokenStream } from './http-error.ts'
import { Silence } from './silence.ts'
import type { SseEvent } from './sse.ts'
import { sseReader } from './sse.ts'

export type SseOptions = {
  readonly signal: AbortSignal
  /** How long the server may be silent, in milliseconds. Default five minutes: a long silent think is no error. */
  readonly idleMs?: number | undefined
  /** Names the provider in an error. */
  readonly provider?: string | undefined
  readonly clock?: Clock | undefined
}

/**
 * The server-sent events of a response, as their bytes arrive, however these are cut. Ends with the body; the connection is
 * closed when the signal fires or the loop is left.
 *
 * @throws {NetworkError} after a silence that is too long; {IncompleteStreamError} when the connection breaks; what the signal was told.
 */
export async function* sse(response: Response, options: SseOptions): AsyncGenerator<SseEvent, void, undefined> {
  const { signal, idleMs = 300_000, provider = 'unknown', clock = systemClock } = options
  const reader = response.body?.getReader()
  if (!reader) return
  let failure: Error | undefined
  const giveUp = (reason: Error): void => {
    failure ??= reason
    reader.cancel(reason).catch(() => {})
  }
  const silence = new Silence(clock, () =>
    giveUp(new NetworkError(`${provider}: nothing came for ${idleMs / 1000} s (idleMs).`, { provider })),
  )
  const off = onAbort(signal, () => giveUp(reasonOf(signal)))
  const waiting: SseEvent[] = []
  const parser = sseReader((event) => void waiting.push(event))
  silence.limit(idleMs)
  try {
    for (;;) {
      silence.begin()
      const next = await reader.read().catch((error: unknown) => {
        throw failure ?? brokenStream(error, provider)
      })
      silence.end()
      if (failure) throw failure
      if (next.done) return
      parser.feed(next.value)
      for (const event of waiting) {
        yield event
        if (failure) throw failure
      }
      waiting.length = 0
    }
  } finally {
    off()
    silence.stop()
    reader.cancel().catch(() => {})
  }
}
