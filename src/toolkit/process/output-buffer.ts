import { headOf, tailOf } from '../../util/text.ts'

/** Keeps the beginning and the end of a text that may be endless. */
export interface OutputBuffer {
  write(text: string): void
  /** Characters written so far. */
  readonly length: number
  /** The text if it has at most `max` characters, else its beginning and its end with a note between them of what is missing. */
  text(max: number): string
  /** The last lines, for showing how it goes. */
  lastLines(lines: number, max: number): string
}

/** @param keep characters that `text` may be asked for. Up to four times as many are held in memory. */
export function outputBuffer(keep: number): OutputBuffer {
  let head = ''
  let tail = ''
  let length = 0
  return {
    get length() {
      return length
    },
    write(text) {
      length += text.length
      const room = keep - head.length
      head += text.slice(0, room)
      tail += text.slice(room)
      if (tail.length > 2 * keep) tail = tail.slice(-keep)
    },
    text(max) {
      const whole = head + tail
      if (length <= max) return whole
      // The end says how it went, so most of the room is its own.
      const marker = (left: number): string => `\n[… ${left} characters left out …]\n`
      const room = Math.max(0, Math.min(max, keep) - marker(length).length)
      const first = headOf(head, Math.floor(room / 3))
      const last = tailOf(whole, room - Math.floor(room / 3))
      return first + marker(length - first.length - last.length) + last
    },
    lastLines(lines, max) {
      const end = (head + tail).slice(-max)
      return tailOf(end.split('\n').slice(-lines).join('\n'), max).replace(/^[\udc00-\udfff]/, '')
    },
  }
}
