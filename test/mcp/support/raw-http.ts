import { request } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'

export type RawAnswer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }

/** A request as no library would send it. `sent` goes as the body; a stream of its own can be written to `request`. */
export type RawExchange = { readonly request: ClientRequest; readonly answer: Promise<RawAnswer>; readonly begun: Promise<IncomingMessage> }

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export function open(url: string, method: string, headers: Record<string, string> = {}): RawExchange {
  // Each over a connection of its own: one that was kept may be closed just then.
  const sending = request(url, { method, headers: { ...usual, ...headers }, agent: false })
  const begun = new Promise<IncomingMessage>((resolve, reject) => sending.once('response', resolve).once('error', reject))
  const answer = begun.then(async (response) => {
    let body = ''
    for await (const chunk of response.setEncoding('utf8')) body += chunk as string
    return { status: response.statusCode!, headers: response.headers, body }
  })
  // Who looks at one alone is not told of the other.
  answer.catch(() => {})
  return { request: sending, answer, begun }
}

export function send(url: string, method: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const { request: sending, answer } = open(url, method, headers)
  sending.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  return answer
}

/** What stands in an answer: the value of a JSON body, or the values of the events of a stream; that which begins a stream has none. */
export const messagesOf = ({ headers, body }: RawAnswer): readonly any[] =>
  headers['content-type']?.includes('event-stream')
    ? body.split('\n').flatMap((line) => (/^data: ./.test(line) ? [JSON.parse(line.slice(6))] : []))
    : [JSON.parse(body)]

const clientInfo = { name: 'raw', version: '1' }

export const greeting = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
}

/** Begins a session and gives the headers that its requests have. */
export async function session(url: string): Promise<Record<string, string>> {
  const { headers } = await send(url, 'POST', greeting)
  const of = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
  await send(url, 'POST', { jsonrpc: '2.0', method: 'notifications/initialized' }, of)
  return of
}

export const call = (id: number, name: string, input: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})

export const cancelOf = (requestId: number): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

/** A call as the newest revision has it, and its headers. */
export const modernCall = (id: number, name: string, meta: object = {}, input: object = {}): readonly [object, Record<string, string>] => [
  {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name,
      arguments: input,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
        ...meta,
      },
    },
  },
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
]

const megabyte = 'x'.repeat(1024 * 1024)

/**
 * Sends so many megabytes, `declared` beforehand or in chunks, and reads no answer before it has sent all, as simple programs do; then
 * asks with `next`. Gives all that came.
 */
export async function flood(url: string, megabytes: number, declared: boolean, next: object): Promise<string> {
  const { port, host, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const head = (length: string): string =>
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${length}\r\n`
  function* sent(): Generator<string> {
    yield head(declared ? `Content-Length: ${megabytes * megabyte.length}\r\n` : 'Transfer-Encoding: chunked\r\n')
    for (let count = 0; count < megabytes; count++) yield declared ? megabyte : `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`
    if (!declared) yield '0\r\n\r\n'
    const body = JSON.stringify(next)
    yield `${head(`Content-Length: ${body.length}\r\nConnection: close\r\n`)}${body}`
  }
  await pipeline(sent(), socket, { end: false })
  let came = ''
  for await (const chunk of socket.setEncoding('utf8')) came += chunk as string
  return came
}
