import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../../../src/util/json.ts'

const text = new TextEncoder()

/** One message as application/vnd.amazon.eventstream: lengths, checksum, headers, payload, checksum. */
export function frame(headers: Readonly<Record<string, string>>, payload: string): Uint8Array<ArrayBuffer> {
  const head = Object.entries(headers).flatMap(([name, value]) => {
    const [key, bytes] = [text.encode(name), text.encode(value)]
    return [key.length, ...key, 7, bytes.length >> 8, bytes.length & 0xff, ...bytes]
  })
  const body = text.encode(payload)
  const bytes = new Uint8Array(16 + head.length + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length)
  view.setUint32(4, head.length)
  view.setUint32(8, crc32(bytes.subarray(0, 8)))
  bytes.set(head, 12)
  bytes.set(body, 12 + head.length)
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)))
  return bytes
}

/** An event, as its name and what it says. */
export type WireEvent = readonly [name: string, data: JsonObject]

/** Events as the service sends them. */
export const frames = (...events: readonly WireEvent[]): Uint8Array<ArrayBuffer> =>
  joined(
    events.map(([name, data]) =>
      frame(
        name.endsWith('Exception')
          ? { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' }
          : { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' },
        JSON.stringify(data),
      ),
    ),
  )

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The places in a body at which an event is over. */
export function endsOfEvents(body: Uint8Array): readonly number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const ends: number[] = []
  for (let at = 0; at < body.length;) ends.push((at += view.getUint32(at)))
  return ends
}

export const begins: WireEvent = ['messageStart', { role: 'assistant' }]
export const opens = (index: number, start: JsonObject): WireEvent => ['contentBlockStart', { contentBlockIndex: index, start }]
export const adds = (index: number, delta: JsonObject): WireEvent => ['contentBlockDelta', { contentBlockIndex: index, delta }]
export const closes = (index: number): WireEvent => ['contentBlockStop', { contentBlockIndex: index }]
export const says = (index: number, said: string): readonly WireEvent[] => [adds(index, { text: said }), closes(index)]
export const calls = (index: number, name: string, input: string, id = `tooluse_${index}`): readonly WireEvent[] => [
  opens(index, { toolUse: { toolUseId: id, name } }),
  adds(index, { toolUse: { input } }),
  closes(index),
]
export const stops = (stopReason: string, more: JsonObject = {}): WireEvent => ['messageStop', { stopReason, ...more }]
export const counts = (usage: JsonObject = { inputTokens: 3, outputTokens: 5, totalTokens: 8 }, more: JsonObject = {}): WireEvent => [
  'metadata',
  { usage, metrics: { latencyMs: 1 }, ...more },
]
export const ends = (stopReason = 'end_turn'): readonly WireEvent[] => [stops(stopReason), counts()]

/** A whole answer that says one thing. */
export const saying = (said: string): Uint8Array<ArrayBuffer> => frames(begins, ...says(0, said), ...ends())
