import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Agent, InputError, jsonSchema, tool } from 'lena-agent'
import type { Tool } from 'lena-agent'
import { McpClient, serveMcp } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { programOf } from '../support/program.ts'

const anything = jsonSchema<Record<string, never>>({ type: 'object', properties: {} })
const make = (name: string, execute: Tool['run'], rest: object = {}): Tool =>
  tool({ name, description: `Does ${name}.`, inputSchema: anything, ...rest, execute: execute as never })

/** A service over HTTP, ended when the test is over. */
async function serve(...tools: readonly Tool[]): Promise<string> {
  const service = await serveMcp({ tools }, { transport: { port: 0 } })
  onTestFinished(() => service.close())
  return service.url!
}

function clientOf(url: string, protocolVersion?: string): McpClient {
  const client = new McpClient({ url, ...(protocolVersion !== undefined && { protocolVersion }) })
  onTestFinished(() => client.close())
  return client
}

async function pipe(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lena-pipe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [path])
  return path
}

describe('a second process that serves tools', () => {
  let args: string[]
  beforeAll(async () => void (args = [await programOf(join(import.meta.dirname, 'support/served.ts'))]))

  it.each(['legacy', 'auto'] as const)(
    'is greeted and called by the official client (%s)',
    async (mode) => {
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
      onTestFinished(() => client.close())
      await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: process.cwd(), stderr: 'ignore' }))
      expect(client.getServerVersion()).toMatchObject({ name: 'doubler', version: '2.0.0' })
      expect(client.getInstructions()).toBe('Double numbers.')
      expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy')
      expect((await client.listTools()).tools).toMatchObject([
        { name: 'double', description: 'Twice a number.', annotations: { readOnlyHint: true }, inputSchema: { required: ['n'] } },
      ])
      const progress: unknown[] = []
      // The client drops progress that it reads together with the result, so the tool ends when it was heard.
      const until = await pipe()
      const onprogress = (value: unknown): void => {
        progress.push(value)
        void writeFile(until, 'heard')
      }
      const result = await client.callTool({ name: 'double', arguments: { n: 21, until } }, { onprogress })
      expect(result).toMatchObject({ content: [{ type: 'text', text: '42' }], structuredContent: { doubled: 42 } })
      expect(progress).toMatchObject([{ progress: 1, message: 'doubling 21' }])
      const refused = await client.callTool({ name: 'double', arguments: { n: 'many' } })
      expect(refused.isError).toBe(true)
      expect(refused.content).toMatchObject([{ text: expect.stringContaining('The input of double is not valid') as string }])
    },
    60_000,
  )

  it('ends when its client has gone', async () => {
    // On a busy machine it may start so slowly that it would be taken for an old one.
    const client = new McpClient({
      command: process.execPath,
      args,
      cwd: process.cwd(),
      protocolVersion: '2026-07-28',
      startTimeoutMs: 60_000,
    })
    await client.connect()
    expect(client.serverInfo.protocolVersion).toBe('2026-07-28')
    await client.close()
  }, 60_000)
})

describe('tools served over HTTP', () => {
  it.each(['2025-11-25', '2026-07-28'])('are called in the revision %s', async (version) => {
    const client = clientOf(await serve(make('hello', () => 'Hi.')), version)
    expect((await client.connect()).protocolVersion).toBe(version)
    expect(await client.callTool('hello')).toEqual({ status: 'success', content: [{ type: 'text', text: 'Hi.' }] })
  })

  it('are called by the official client', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(await serve(make('hello', () => 'Hi.')))))
    expect((await client.callTool({ name: 'hello', arguments: {} })).content).toEqual([{ type: 'text', text: 'Hi.' }])
  })

  it('fail as results', async () => {
    const fail = make('fail', () => {
      throw new RangeError('Too far.')
    })
    const client = clientOf(await serve(fail))
    expect(await client.callTool('fail')).toMatchObject({ status: 'error', content: [{ text: 'RangeError: Too far.' }] })
    expect(await client.callTool('fial')).toMatchObject({
      status: 'error',
      content: [{ text: 'There is no tool "fial". Did you mean fail?' }],
    })
  })

  /** A tool that waits until it is told to stop. */
  function waiting(): { readonly wait: Tool; readonly begun: Promise<void>; readonly told: Promise<boolean> } {
    let began = (): void => {}
    let ended: (isAborted: boolean) => void = () => {}
    const begun = new Promise<void>((resolve) => (began = resolve))
    const told = new Promise<boolean>((resolve) => (ended = resolve))
    const wait = make('wait', (_, { signal }) => {
      began()
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          ended(signal.aborted)
          reject(new Error('Cancelled.'))
        }),
      )
    })
    return { wait, begun, told }
  }

  it('are told of a cancel', async () => {
    const { wait, begun, told } = waiting()
    const client = clientOf(await serve(wait))
    const controller = new AbortController()
    const pending = client.callTool('wait', {}, { signal: controller.signal }).catch((error: unknown) => error)
    await begun
    controller.abort(new Error('Enough.'))
    expect(await pending).toEqual(new Error('Enough.'))
    expect(await told).toBe(true)
  })

  it('are told when a client of the older revision has gone', async () => {
    const { wait, begun, told } = waiting()
    const client = clientOf(await serve(wait), '2025-11-25')
    const pending = client.callTool('wait').catch((error: unknown) => error)
    await begun
    await client.close()
    expect(await pending).toMatchObject({ code: 'mcp_closed' })
    expect(await told).toBe(true)
  })

  it('have a key of their own in each call', async () => {
    const keys: string[] = []
    const pay = make('pay', (_, { idempotencyKey }) => void keys.push(idempotencyKey))
    const client = clientOf(await serve(pay))
    await client.callTool('pay')
    await client.callTool('pay')
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })

  it('give pictures and documents', async () => {
    const blocks = [
      { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } },
      { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'Hi.' }, title: 'a.txt' },
      { type: 'json', value: [1] },
    ]
    const client = clientOf(await serve(make('show', () => blocks)))
    expect((await client.callTool('show')).content).toEqual([
      blocks[0],
      { type: 'text', text: '[resource result://1/a.txt (text/plain)]\nHi.' },
      { type: 'text', text: '[1]' },
    ])
  })

  it('answer this computer alone, and no page of another site', async () => {
    const url = await serve(make('hello', () => 'Hi.'))
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect(await post(url, body, { host: 'evil.example' })).toBe(403)
    expect(await post(url, body, { origin: 'https://evil.example' })).toBe(403)
    expect(await post(url.replace('/mcp', '/other'), body, {})).toBe(404)
    expect(await post(url, body, { origin: 'http://localhost:3000' })).toBe(200)
  })
})

describe('an agent that is served', () => {
  it('answers as a tool, each call a conversation of its own', async () => {
    const model = scriptedModel(
      ({ messages }) => ({ text: `${messages.length} message` }),
      ({ messages }) => ({ text: `${messages.length} message` }),
    )
    const agent = new Agent({ name: 'helper', description: 'Helps.', model })
    const service = await serveMcp({ agent }, { transport: { port: 0 } })
    onTestFinished(() => service.close())
    const client = clientOf(service.url!)
    expect((await client.connect()).name).toBe('helper')
    expect((await client.listTools()).map(({ name, description }) => [name, description])).toEqual([['helper', 'Helps.']])
    for (const _ of [1, 2]) expect(await client.callTool('helper', { input: 'Help!' })).toMatchObject({ content: [{ text: '1 message' }] })
  })
})

describe('a service', () => {
  it('over streams ends with its input, and by its signal', async () => {
    const hello = make('hello', () => 'Hi.')
    const stdin = new PassThrough()
    const before = [stdin.listenerCount('end'), stdin.listenerCount('close')]
    const one = await serveMcp({ tools: [hello] }, { stdin, stdout: new PassThrough() })
    stdin.end()
    stdin.resume()
    await one.closed
    expect([stdin.listenerCount('end'), stdin.listenerCount('close')]).toEqual(before)
    const controller = new AbortController()
    const two = await serveMcp({ tools: [hello] }, { transport: { port: 0 }, signal: controller.signal })
    controller.abort()
    await two.closed
    await expect(fetch(two.url!)).rejects.toThrow('fetch failed')
  })

  it('ends with the block that it is used in', async () => {
    let url: string
    {
      await using service = await serveMcp({ tools: [make('hello', () => 'Hi.')] }, { transport: { port: 0 } })
      url = service.url!
      expect((await fetch(url, { method: 'DELETE' })).status).toBeGreaterThan(0)
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it.each([
    [undefined, 'serveMcp() needs { tools } or { agent }, got undefined.'],
    [{ tools: [] }, 'serveMcp({ tools }) needs at least one tool.'],
    [{ agent: {} }, 'serveMcp({ agent }) needs an Agent, got an object.'],
  ])('of %j is refused', async (served, said) => {
    await expect(serveMcp(served as never)).rejects.toThrow(new InputError(said))
  })
})

describe('a transport', () => {
  const where = "serveMcp(): `transport` must be 'stdio' or { port }, with a port from 0 to 65535."
  const hello = make('hello', () => 'Hi.')

  it.each([
    ['http', where],
    [{}, where],
    [{ port: '80' }, where],
    [{ port: 65_536 }, where],
    [{ port: 0, maxSessions: 0 }, 'serveMcp(): `transport.maxSessions` must be a positive number, got 0.'],
    [{ port: 0, maxBodyBytes: '4MB' }, 'serveMcp(): `transport.maxBodyBytes` must be a positive number, got 4MB.'],
    [{ port: 0, sessionIdleMs: -1 }, 'serveMcp(): `transport.sessionIdleMs` must be a positive number, got -1.'],
  ])('%j is refused', async (transport, said) => {
    await expect(serveMcp({ tools: [hello] }, { transport: transport as never })).rejects.toThrow(new InputError(said))
  })
})

/** `fetch` sets these headers itself. */
function post(url: string, body: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
    request(url, { method: 'POST', headers: all }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end(body)
  })
}
