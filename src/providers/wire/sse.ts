import { createParser } from 'eventsource-parser'
import { ModelError } from '../../errors.ts'
import { dataOfEach } from './data-lines.ts'

export type SseEvent = { readonly event?: string | undefined; readonly data: string }

export interface SseReader {
  /** Takes the next bytes; each event that they complete is told at once. */
  feed(bytes: Uint8Array): void
  /** The stream is over: a last line counts, though nothing ends it. The event that it may belong to stays unfinished. */
  end(): void
}

/** The longest line or event that is held, in characters: no provider comes near it, an endless line must not fill the memory. */
const maxHeld = 64_000_000

/**
 * Reads server-sent events out of bytes, however these are cut. What a stream leaves unfinished at its end is dropped. Whole JSON
 * values on several lines of one event are told as an event each.
 *
 * @param onStray told of each line that belongs to no event, such as an error that a server puts behind its events as it is.
 */
export function sseReader(onEvent: (event: SseEvent) => void, onStray?: (line: string) => void): SseReader {
  const parser = createParser({
    onEvent({ event, data }) {
      for (const each of dataOfEach(data)) onEvent({ event, data: each })
    },
    onError(error) {
      // The others are fields that nobody needs.
      if (error.type === 'max-buffer-size-exceeded')
        throw new ModelError(`The stream holds a line or an event of more than ${maxHeld / 1e6} million characters.`, { cause: error })
      if (error.type === 'unknown-field' && error.line !== undefined) onStray?.(error.line)
    },
    maxBufferSize: maxHeld,
  })
  const decoder = new TextDecoder()
  let endedWithCr = false
  let lineIsOpen = false
  return {
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true })
      if (text === '') return
      // A CR at the end may be half a CRLF. The parser would wait for more to know; the line is over either way.
      if (endedWithCr && text.startsWith('\n')) text = text.slice(1)
      endedWithCr = text.endsWith('\r')
      if (text !== '') lineIsOpen = !endedWithCr && !text.endsWith('\n')
      parser.feed(endedWithCr ? `${text}\n` : text)
    },
    end() {
      if (lineIsOpen) parser.feed('\n')
      lineIsOpen = false
    },
  }
}
