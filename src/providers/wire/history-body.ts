/** A request body, and the word that it has been read and its bytes may be used again. */
export type LeasedBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly release: () => void }

/** The bytes of one conversation's last request: head, a list of JSON values, tail. */
type Written<M> = {
  readonly head: string
  /** Where the head ends. */
  start: number
  readonly messages: M[]
  /** Where a request's messages end, the newest last. What is written together is taken back together. */
  readonly marks: { readonly count: number; readonly end: number }[]
  buffer: Uint8Array<ArrayBuffer>
  lent: boolean
}

const encoder = new TextEncoder()
const openBracket = 0x5b

/**
 * Request bodies that hold a growing history. Each message is serialised once, and a request writes only what is new in
 * its conversation behind the bytes of the request before. Both are kept by the identity of the messages, as long as
 * these live; a conversation is known by its first message. A history that was changed is written anew from where it differs.
 */
export class HistoryBody<M extends object> {
  readonly #toJson: (message: M, previous: M | undefined) => string
  readonly #pieces = new WeakMap<M, { readonly previous: M | undefined; readonly json: string }>()
  readonly #written = new WeakMap<M, Written<M>>()

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
    const at = endOf(written)
    let isFirst = written.buffer[at - 1] === openBracket
    let added = ''
    for (let i = written.messages.length; i < messages.length; i++) {
      const message = messages[i]!
      const json = this.#jsonOf(message, messages[i - 1])
      if (json !== '') {
        added += isFirst ? json : `,${json}`
        isFirst = false
      }
      written.messages.push(message)
    }
    const count = written.messages.length
    if (count > (written.marks.at(-1)?.count ?? 0)) written.marks.push({ count, end: put(written, at, added) })
    const end = put(written, endOf(written), tail)
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
      if (!known.lent && same === known.messages.length) return known
      const marks = known.marks.filter(({ count }) => count <= same)
      const changed: Written<M> = { ...known, messages: known.messages.slice(0, marks.at(-1)?.count ?? 0), marks, lent: false }
      if (known.lent) changed.buffer = known.buffer.slice(0, endOf(changed))
      this.#written.set(first!, changed)
      return changed
    }
    const written: Written<M> = { head, start: 0, messages: [], marks: [], buffer: new Uint8Array(head.length + 4096), lent: false }
    written.start = put(written, 0, head)
    if (first) this.#written.set(first, written)
    return written
  }

  #jsonOf(message: M, previous: M | undefined): string {
    const known = this.#pieces.get(message)
    if (known && known.previous === previous) return known.json
    const json = this.#toJson(message, previous)
    this.#pieces.set(message, { previous, json })
    return json
  }
}

const endOf = <M>({ marks, start }: Written<M>): number => marks.at(-1)?.end ?? start

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
    const grown = new Uint8Array(Math.max(written.buffer.length * 2, at + rest.length * 2))
    grown.set(written.buffer.subarray(0, at))
    written.buffer = grown
  }
}
