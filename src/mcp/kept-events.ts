import type { AsyncLocalStorage } from 'node:async_hooks'
import type { EventStore, JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import type { Clock } from '../util/clock.ts'
import type { SilenceLimit } from './silence-limit.ts'
import { silenceLimit } from './silence-limit.ts'

/** Of the events of one stream that are no answer so many are kept: of reports the newer ones say more. */
const mostNotes = 100
/** What was sent may not have arrived: so many answers are kept that are not longer than this, in characters. */
const [mostSent, longestSent] = [8, 65_536]

/** What answers the requests that were sent together. */
export type KeptStream = {
  readonly requests: readonly RequestId[]
  /** As the library calls it; known with its first event. */
  id: string | undefined
  events: readonly { readonly id: string; readonly message: JSONRPCMessage }[]
  /** The exchange that sends it now. One that it was taken from has no say any more. */
  holder: object | undefined
  /** Runs while nobody has it. */
  wait: SilenceLimit | undefined
  isForgotten: boolean
}

export type KeptEventsOptions = {
  readonly clock: Clock
  /** Milliseconds that a stream waits for its client to come back. */
  readonly resumeMs: number
  /** The library does not say to which requests a stream belongs, but makes it while it takes them. One for all sessions. */
  readonly taking: AsyncLocalStorage<KeptStream>
}

/**
 * What a session says to its client: one whose connection broke comes back with the id of the last event that it got, and gets the rest. What
 * nobody comes back for is forgotten.
 */
export class KeptEvents implements EventStore {
  readonly #options: KeptEventsOptions
  readonly #streams = new Set<KeptStream>()
  readonly #byId = new Map<string, KeptStream>()
  /** The newest last. */
  #sent: readonly KeptStream[] = []
  #count = 0

  constructor(options: KeptEventsOptions) {
    this.#options = options
  }

  /** Has the library take requests. What it says to them belongs to the stream that comes back. */
  begin<T>(requests: readonly RequestId[], holder: object, take: () => T): { readonly stream: KeptStream; readonly taken: T } {
    const stream: KeptStream = { requests, id: undefined, events: [], holder, wait: undefined, isForgotten: false }
    this.#streams.add(stream)
    return { stream, taken: this.#options.taking.run(stream, take) }
  }

  /** The stream that has this event. */
  find(eventId: string): KeptStream | undefined {
    return this.#byId.get(eventId.slice(0, eventId.lastIndexOf(separator)))
  }

  /** It is the holder's from now on. */
  hold(stream: KeptStream, holder: object): void {
    stream.holder = holder
    stream.wait?.stop()
    stream.wait = undefined
  }

  /**
   * The holder lets go. `wasSent`: it was sent to its end. Else it waits to be taken up, and when that takes too long, `giveUp` gets the requests
   * that have no answer yet.
   */
  release(stream: KeptStream, holder: object, wasSent: boolean, giveUp: (open: readonly RequestId[]) => void): void {
    if (stream.holder !== holder || stream.isForgotten) return
    stream.holder = undefined
    if (stream.requests.length === 0) return this.forget(stream)
    if (wasSent) return this.#keepSent(stream)
    stream.wait = silenceLimit(this.#options.resumeMs, this.#options.clock, () => {
      const answered = new Set(stream.events.map(({ message }) => ('id' in message ? message.id : undefined)))
      giveUp(stream.requests.filter((request) => !answered.has(request)))
      this.forget(stream)
    })
  }

  /** Is it answered in one stream with others? */
  isShared(request: RequestId): boolean {
    return [...this.#streams].some(({ requests }) => requests.length > 1 && requests.includes(request))
  }

  #keepSent(stream: KeptStream): void {
    stream.events = stream.events.filter(({ message }) => 'id' in message)
    if (stream.events.reduce((sum, { message }) => sum + lengthOf(message), 0) > longestSent) return this.forget(stream)
    this.#streams.delete(stream)
    this.#sent = [...this.#sent.filter((other) => other !== stream), stream]
    if (this.#sent.length > mostSent) this.forget(this.#sent[0]!)
  }

  forget(stream: KeptStream): void {
    stream.wait?.stop()
    stream.isForgotten = true
    stream.events = []
    this.#streams.delete(stream)
    this.#sent = this.#sent.filter((other) => other !== stream)
    if (stream.id !== undefined) this.#byId.delete(stream.id)
  }

  clear(): void {
    for (const stream of [...this.#streams, ...this.#sent]) this.forget(stream)
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = `${streamId}${separator}${++this.#count}`
    const stream = this.#byId.get(streamId) ?? this.#options.taking.getStore()
    if (!stream || stream.isForgotten || (stream.id !== undefined && stream.id !== streamId)) return id
    stream.id = streamId
    this.#byId.set(streamId, stream)
    const notes = 'id' in message ? [] : stream.events.filter(({ message: kept }) => !('id' in kept))
    const oldest = notes.length < mostNotes ? undefined : notes[0]
    stream.events = [...stream.events.filter((event) => event !== oldest), { id, message }]
    return id
  }

  /** @throws {Error} for an event that is not known. */
  async replayEventsAfter(
    eventId: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.find(eventId)
    if (!stream) throw new Error('There is no such event.')
    for (const { id, message } of stream.events)
      // The first event of a stream is empty: with its id a client can come back that has got nothing else.
      if (numberOf(id) > numberOf(eventId) && 'jsonrpc' in message) await send(id, message)
    return stream.id!
  }
}

type HeldContent = {
  readonly text?: unknown
  readonly data?: unknown
  readonly resource?: { readonly text?: unknown; readonly blob?: unknown }
}

/** Roughly: what a result holds in its content. */
function lengthOf(message: JSONRPCMessage): number {
  const { content } = ('result' in message ? message.result : {}) as { readonly content?: unknown }
  if (!Array.isArray(content)) return 0
  return content.reduce((sum: number, { text, data, resource }: HeldContent) => {
    const all: readonly unknown[] = [text, data, resource?.text, resource?.blob]
    return sum + all.reduce<number>((length, each) => length + (typeof each === 'string' ? each.length : 0), 0)
  }, 0)
}

const separator = '_'

const numberOf = (eventId: string): number => Number(eventId.slice(eventId.lastIndexOf(separator) + 1))
