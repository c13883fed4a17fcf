import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeHttpFetch } from '../../../src/providers/wire/node-http.ts'

let play: (request: IncomingMessage, response: ServerResponse) => void
const sockets = new Set<Socket>()
const server = createServer((request, response) => play(request, response))
let url: string

beforeAll(async () => {
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const never = new AbortController().signal
const post = (signal = never, body = 'hello'): Promise<Response> =>
  nodeHttpFetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(body), signal })

async function textOf(response: Response): Promise<string> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value, { stream: true })
  return text
}

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => response.end(Buffer.concat(parts)))
}

it('sends the body and reads the answer', async () => {
  play = echo
  const body = 'ä€😀'.repeat(100_000)
  const response = await post(never, body)
  expect([response.ok, response.status]).toEqual([true, 200])
  expect(await textOf(response)).toBe(body)
})

it('gives status and headers of an answer that is no success', async () => {
  play = (_request, response) => response.writeHead(429, { 'Retry-After': '3' }).end('slow down')
  const response = await post()
  expect([response.ok, response.status, response.headers.get('retry-after'), response.headers.get('x')]).toEqual([false, 429, '3', null])
  expect(await textOf(response)).toBe('slow down')
})

describe('what something in between has packed', () => {
  const packed = Buffer.from('packed')
  const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer }

  it.each<readonly [string, Buffer]>([
    ['gzip', zlib.gzipSync(packed)],
    ['X-GZIP', zlib.gzipSync(packed)],
    ['deflate', zlib.deflateSync(packed)],
    // A smaller window has another first byte.
    ['deflate', zlib.deflateSync(packed, { windowBits: 9 })],
    ['deflate', zlib.deflateRawSync(packed)],
    ['DEFLATE', zlib.deflateRawSync(packed, { level: 0 })],
    ['deflate', zlib.gzipSync(packed)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateRawSync(packed))],
    ['gzip, deflate', zlib.deflateRawSync(zlib.gzipSync(packed))],
    ['br', zlib.brotliCompressSync(packed)],
    ['BR', zlib.brotliCompressSync(packed)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(packed))],
    ['identity', packed],
    // No packing, but what some servers write there.
    ['utf-8', packed],
    ['aws-chunked', packed],
    ...(zstdCompressSync ? [['zstd', zstdCompressSync(packed)] as const] : []),
  ])('as %s is unpacked', async (coding, bytes) => {
    play = (_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes)
    expect(await textOf(await post())).toBe('packed')
  })

  it.each([
    ['bare', zlib.deflateRawSync],
    ['of zlib', zlib.deflateSync],
  ])('as deflate, %s, in whatever pieces it comes', async (_kind, pack) => {
    const bytes = pack(packed)
    play = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' })
      const next = (at: number): void =>
        void (at < bytes.length ? response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1)) : response.end())
      next(0)
    }
    expect(await textOf(await post())).toBe('packed')
  })

  it('as bare deflate is large, and held back while nobody reads', async () => {
    const large = Buffer.alloc(20_000_000, 'x')
    const bytes = zlib.deflateRawSync(large)
    play = (_request, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(bytes)
    const response = await post()
    const reader = response.body!.getReader()
    let length = (await reader.read()).value!.length
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length
    expect(length).toBe(large.length)
  })

  it('as deflate is nothing at all', async () => {
    play = (_request, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end()
    expect(await textOf(await post())).toBe('')
  })

  it.each([
    ['cut', zlib.deflateRawSync(Buffer.from('packed '.repeat(500))).subarray(0, 12)],
    ['of one byte', Buffer.of(0x78)],
    ['none', Buffer.from('not packed at all')],
  ])('as deflate and is %s is an error', async (_what, bytes) => {
    play = (_request, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(bytes)
    await expect(post().then(textOf)).rejects.toThrow(/unexpected end of file|invalid/)
  })

  it.runIf(!zstdCompressSync)('with what this Node does not know is told', async () => {
    play = (_request, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end(packed)
    await expect(post()).rejects.toThrow('the answer is packed with zstd, which this version of Node cannot unpack')
  })

  it('and is cut is an error', async () => {
    const bytes = zlib.gzipSync(Buffer.from('packed '.repeat(500)))
    play = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, bytes.length - 12))
    await expect(post().then(textOf)).rejects.toThrow('unexpected end of file')
  })
})

it('takes a kept connection again', async () => {
  play = echo
  await textOf(await post())
  const before = sockets.size
  await textOf(await post())
  expect(sockets.size).toBe(before)
})

it('sends once more when a kept connection was closed just as it was taken', async () => {
  let asked = 0
  play = (request, response) => {
    asked++
    // The next request on this connection finds it reset.
    if (asked === 2) return void request.socket.resetAndDestroy()
    echo(request, response)
  }
  await textOf(await post())
  expect(await textOf(await post())).toBe('hello')
  expect(asked).toBe(3)
})

it.each([
  ['a small body', 'hello'],
  ['a body of many writes', 'hello'.repeat(2_000_000)],
])('sends %s once more over a new connection: the other kept ones may be closed as well', async (_, body) => {
  // Several at once, so that as many connections are kept.
  let open = 0
  const waiting: (() => void)[] = []
  play = (request, response) => {
    waiting.push(() => echo(request, response))
    if (++open === 3) for (const answer of waiting) answer()
  }
  await Promise.all([1, 2, 3].map(async () => await textOf(await post())))
  const kept = new Set(sockets)
  play = (request, response) => (kept.has(request.socket) ? void request.socket.resetAndDestroy() : echo(request, response))
  expect((await textOf(await post(never, body))) === body).toBe(true)
})

it('fails when the connection breaks before the answer is complete', async () => {
  play = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => setImmediate(() => response.destroy()))
  }
  await expect(textOf(await post())).rejects.toThrow(/closed before|aborted/)
})

it('closes the connection at once when the signal fires', async () => {
  const closed = new Promise<void>((resolve) => {
    play = (_request, response) => {
      response.on('close', resolve)
      response.write('begin')
    }
  })
  const controller = new AbortController()
  const response = await post(controller.signal)
  const reading = textOf(response)
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  await closed
})

it('sends nothing when the signal has fired', async () => {
  let asked = false
  play = (request, response) => {
    asked = true
    echo(request, response)
  }
  await expect(post(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  expect(asked).toBe(false)
})

it('holds a fast server back while nobody reads', async () => {
  const chunk = Buffer.alloc(64 * 1024)
  let written = 0
  play = (_request, response) => {
    const more = (): void => {
      while (written < 200) {
        written++
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  const response = await post()
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(written).toBeLessThan(200)
  expect((await textOf(response)).length).toBe(200 * chunk.length)
})
