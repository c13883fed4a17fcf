/** A request body, and the word that it has been read and its bytes may be used again. */
export type LeasedBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly release: () => void }

/** The bytes of one conversation's last request: head, a list of JSON values, tail. */
type Written<M> = {
  readonly head: string
  /** Where the head ends. */
  start: number
  readonly messages: M[]
  /** Where each of them ends. */
  readonly ends: number[]
  buffer: Uint8Array<ArrayBuffer>
  lent: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const openBracket = 0x5b
const comma = 0x2c

/**
 * Request bodies that hold a growing history. Each message is serialised once, and a request writes only what is new in
 * its conversation behind the bytes of the request before. These bytes are all that is kept of a message, by its identity and
 * as long as the first of its conversation lives. A history that was changed is written anew from where it differs; what that
 * takes out of the bytes, or moves in them, is remembered as text as long as the message lives.
 */
export class HistoryBody<M extends object> {
  readonly #toJson: (message: M, previous: M | undefined) => string
  readonly #written = new WeakMap<M, Written<M>>()
  readonly #takenOut = new WeakMap<M, { readonly previous: M | undefined; readonly json: string }>()
  /** The conversation of the last request: the next may be the same without its first messages. */
  #last: WeakRef<Written<M>> | undefined

  /**
   * @param toJson one message as JSON values with commas between them, or `''`. It may look at the message before, as
   *   the name of a result is written there.
   */
  constructor(toJson: (message: M, previous: M | undefined) => string) {
    this.#toJson = toJson
  }

  /**
   * The body `head + messages + tail`. The head ends in `[` or in a first value of the list. The bytes are shared with the
   * conversation's next request, which takes others as long as these were not released.
   */
  lease(head: string, messages: readonly M[], tail: string): LeasedBody {
    const written = this.#forConversation(head, messages)
    let at = endOf(written)
    for (let i = written.messages.length; i < messages.length; i++) {
      const message = messages[i]!
      const json = this.#jsonOf(message, messages[i - 1])
      if (json !== '') at = put(written, at, written.buffer[at - 1] === openBracket ? json : `,${json}`)
      written.messages.push(message)
      written.ends.push(at)
    }
    const end = put(written, at, tail)
    written.lent = true
    return {
      bytes: written.buffer.subarray(0, end),
      release() {
        written.lent = false
      },
    }
  }

  #forConversation(head: string, messages: readonly M[]): Written<M> {
    const first = messages[0]
    const known = first && this.#written.get(first)
    if (known?.head === head) {
      const same = sameAtStart(known.messages, messages)
      if (!known.lent && same === known.messages.length) return this.#keep(first!, known)
      this.#takeOut(known, same)
      const changed: Written<M> = {
        head,
        start: known.start,
        messages: known.messages.slice(0, same),
        ends: known.ends.slice(0, same),
        buffer: known.buffer,
        lent: false,
      }
      if (known.lent) changed.buffer = known.buffer.slice(0, endOf(changed))
      return this.#keep(first!, changed)
    }
    const before = known ?? this.#last?.deref()
    if (before) this.#takeOut(before, 0, new Set(messages))
    const written: Written<M> = { head, start: 0, messages: [], ends: [], buffer: new Uint8Array(head.length + 4096), lent: false }
    written.start = put(written, 0, head)
    return first ? this.#keep(first, written) : written
  }

  #keep(first: M, written: Written<M>): Written<M> {
    if (this.#written.get(first) !== written) this.#written.set(first, written)
    if (this.#last?.deref() !== written) this.#last = new WeakRef(written)
    return written
  }

  /** Remembers the messages from this place on, or those of them that are wanted. */
  #takeOut({ messages, ends, start, buffer }: Written<M>, from: number, wanted?: ReadonlySet<M>): void {
    for (let i = from; i < messages.length; i++) {
      if (wanted && !wanted.has(messages[i]!)) continue
      const at = i === 0 ? start : ends[i - 1]!
      const bytes = buffer.subarray(buffer[at] === comma ? at + 1 : at, ends[i])
      this.#takenOut.set(messages[i]!, { previous: messages[i - 1], json: decoder.decode(bytes) })
    }
  }

  #jsonOf(message: M, previous: M | undefined): string {
    const known = this.#takenOut.get(message)
    return known && known.previous === previous ? known.json : this.#toJson(message, previous)
  }
}

const endOf = <M>({ ends, start }: Written<M>): number => ends.at(-1) ?? start

function sameAtStart<M>(a: readonly M[], b: readonly M[]): number {
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  return same
}

/** Writes text at a place of the buffer, which grows as needed; gives the place behind it. */
function put<M>(written: Written<M>, at: number, text: string): number {
  let rest = text
  for (;;) {
    const { read, written: count } = encoder.encodeInto(rest, written.buffer.subarray(at))
    at += count
    if (read === rest.length) return at
    rest = rest.slice(read)
    // By a quarter: the bytes live as long as the conversation, and half of them unused would be much.
    const grown = new Uint8Array(Math.max(Math.ceil(written.buffer.length * 1.25), at + Math.ceil(rest.length * 1.25)))
    grown.set(written.buffer.subarray(0, at))
    written.buffer = grown
  }
}
