import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import { messagesOf } from './raw-http.ts'

export type RawStream = {
  readonly status: number | undefined
  /** Resolves when this stands in what has come; rejects when the stream ends without it. */
  readonly until: (said: string) => Promise<void>
  /** The messages that have come so far. */
  readonly messages: () => readonly any[]
  /** Resolves when the stream is over, in whatever way. */
  readonly ended: Promise<void>
  readonly ids: () => readonly string[]
  /** The id of the last event that has come. */
  readonly lastId: () => string
  /** Breaks the connection. */
  readonly cut: () => void
}

/** A stream of events that is read as it comes, over a connection of its own. */
export async function rawStream(url: string, method: string, headers: Record<string, string>, body?: object): Promise<RawStream> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const sending = request(url, { method, headers: { ...usual, ...headers }, agent: false })
  sending.on('error', () => {}).end(body && JSON.stringify(body))
  const response = await new Promise<IncomingMessage>((resolve, reject) => sending.once('response', resolve).once('error', reject))
  let came = ''
  let isOver = false
  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach((listener) => listener())
  response
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      came += chunk
      tell()
    })
    .on('error', () => {})
    .once('close', () => {
      isOver = true
      tell()
    })
  const ended = new Promise<void>((resolve) => void response.once('close', resolve))
  const ids = (): readonly string[] => [...came.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!)
  const cut = (): void => void sending.destroy()
  onTestFinished(cut)
  return {
    status: response.statusCode,
    until: (said) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!came.includes(said) && !isOver) return
          listeners.delete(look)
          if (came.includes(said)) resolve()
          else reject(new Error(`The stream ended without ${said}: ${came}`))
        }
        listeners.add(look)
        look()
      }),
    messages: () => messagesOf({ status: 200, headers: response.headers, body: came }),
    ended,
    ids,
    lastId: () => ids().at(-1)!,
    cut,
  }
}
