import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { McpClient } from 'lena-agent/mcp'
import { fakeClock } from 'lena-agent/testing'
import { json, listen } from './support/http-server.ts'

const text = (said: string): object => ({ content: [{ type: 'text', text: said }] })

/** A server of the revision with sessions. `call` answers a call; `forget` is the answer to a session that it does not know. */
async function sessions(
  call: (response: ServerResponse, id: number, session: string) => void,
  forget: (response: ServerResponse, id: number) => void = (response, id) =>
    json(response, 404, { id, error: { code: -32001, message: 'Session not found' } }),
): Promise<{ client: McpClient; opened: string[]; expire: () => void }> {
  const opened: string[] = []
  let current: string | undefined
  const { url } = await listen((request, response, body) => {
    if (request.method !== 'POST') return json(response, 405)
    const { id, method, params } = body as { id: number; method: string; params: { protocolVersion: string } }
    if (method === 'initialize') {
      opened.push((current = `s${opened.length + 1}`))
      const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
      return json(response, 200, { id, result }, { 'mcp-session-id': current })
    }
    if (method === 'server/discover') return json(response, 400, { id, error: { code: -32000, message: 'Bad Request: no session' } })
    if (request.headers['mcp-session-id'] !== current) return forget(response, id)
    if (id === undefined) return json(response, 202)
    call(response, id, current!)
  })
  const client = new McpClient({ url, name: 'x', transport: 'http' })
  onTestFinished(() => client.close())
  return { client, opened, expire: () => void (current = undefined) }
}

describe('a session that the server has forgotten', () => {
  it.each([
    [404, 'Session not found'],
    [400, 'Bad Request: No valid session ID provided'],
  ])('is opened anew, once for a call (%i)', async (status, message) => {
    const { client, opened, expire } = await sessions(
      (response, id, session) => json(response, 200, { id, result: text(session) }),
      (response, id) => json(response, status, { id: id ?? null, error: { code: -32000, message } }),
    )
    expect(await client.callTool('a')).toMatchObject({ content: [{ text: 's1' }] })
    expire()
    expect(await client.callTool('a')).toMatchObject({ content: [{ text: 's2' }] })
    expect(opened).toEqual(['s1', 's2'])
  })

  it('again and again is an error', async () => {
    const { client, opened } = await sessions((response, id) =>
      json(response, 404, { id, error: { code: -32001, message: 'Session not found' } }),
    )
    await expect(client.callTool('a')).rejects.toMatchObject({ name: 'McpError', code: 'mcp_protocol' })
    expect(opened).toEqual(['s1', 's2'])
  })
})

describe('a stream of events that ends without an answer', () => {
  it('fails the call at once', async () => {
    const { client } = await sessions((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(': nothing more\n\n')
    })
    await expect(client.callTool('a')).rejects.toMatchObject({
      code: 'mcp_closed',
      message: 'The connection to the MCP server "x" broke: The stream ended without an answer.',
    })
  })
})

describe('a stream of events that breaks and cannot be taken up again', () => {
  it.each([404, 400, 405, 500])('fails the call, and no other (%i)', { timeout: 60_000 }, async (status) => {
    let breaks = true
    const { url } = await listen((request, response, body) => {
      if (request.method === 'GET') return json(response, request.headers['last-event-id'] === undefined ? 405 : status)
      if (request.method !== 'POST') return json(response, 405)
      const { id, method, params } = body as { id: number; method: string; params: { protocolVersion: string } }
      if (method === 'initialize') {
        const { protocolVersion } = params
        const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
        return json(response, 200, { id, result }, { 'mcp-session-id': 's1' })
      }
      if (id === undefined) return json(response, 202)
      if (!breaks) return json(response, 200, { id, result: text('Here.') })
      breaks = false
      // The time after which it is to be asked for again.
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: e1\nretry: 5\ndata: \n\n', () => response.destroy())
    })
    const client = new McpClient({ url, name: 'x', protocolVersion: '2025-11-25' })
    onTestFinished(() => client.close())
    await expect(client.callTool('a')).rejects.toMatchObject({
      code: 'mcp_closed',
      message: 'The connection to the MCP server "x" broke: The stream ended without an answer.',
    })
    expect(await client.callTool('a')).toMatchObject({ content: [{ text: 'Here.' }] })
  })
})

describe('a stream of changes that breaks', () => {
  it('is opened again, and what was missed is made up for', async () => {
    const handler = createMcpHandler(() => {
      const server = new Server({ name: 'y', version: '1' }, { capabilities: { tools: { listChanged: true } } })
      server.setRequestHandler('tools/list', () => ({ tools: [] }))
      return server
    })
    const streams: ServerResponse[] = []
    let streamed = (): void => {}
    const { url } = await listen((request, response, body) => {
      const { method } = body as { method: string }
      void (async () => {
        const headers = Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        )
        const given = await handler.fetch(
          new Request(`http://127.0.0.1${request.url}`, { method: 'POST', headers, body: JSON.stringify(body) }),
        )
        response.writeHead(given.status, Object.fromEntries(given.headers))
        if (method === 'subscriptions/listen') {
          streams.push(response)
          streamed()
        }
        for await (const chunk of given.body as unknown as AsyncIterable<Uint8Array>) response.write(chunk)
        response.end()
      })().catch(() => {})
    })
    const clock = fakeClock()
    const client = new McpClient({ url, clock })
    onTestFinished(() => client.close())
    let changed = (): void => {}
    const change = (): Promise<void> => new Promise((resolve) => (changed = resolve))
    client.addConsumer({ name: 'test', toolsChanged: () => changed(), warn: () => {} })
    await client.connect()
    const first = change()
    handler.notify.toolsChanged()
    await first
    await clock.advance(5000)
    const again = new Promise<void>((resolve) => (streamed = resolve))
    const missed = change()
    streams[0]!.destroy()
    await again
    await missed
    const second = change()
    handler.notify.toolsChanged()
    await second
    expect(streams).toHaveLength(2)
  })
})

it.each([
  ['http://127.0.0.1:9/mcp', 'bad port'],
  ['http://no-such-host.invalid/mcp', expect.stringMatching(/getaddrinfo (ENOTFOUND|EAI_AGAIN)/) as string],
])('a server that cannot be reached is named with the reason: %s', async (url, reason) => {
  const client = new McpClient({ url, name: 'far' })
  onTestFinished(() => client.close())
  const error = (await client.connect().catch((thrown: unknown) => thrown)) as Error
  const before = 'The MCP server "far" could not be started: '
  expect([error.message.slice(0, before.length), error.message.slice(before.length)]).toEqual([before, reason])
})
