import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { McpError } from 'lena-agent/mcp'
import type { JsonValue } from 'lena-agent'
import { linesOf, oddClient, tempFolder } from './support/odd.ts'

const textOf = (result: { readonly content: readonly unknown[] }): string => (result.content[0] as { text: string }).text

describe('a client', () => {
  it('says who the server is once it is connected', async () => {
    const client = oddClient()
    expect(client.serverInfo).toEqual({ name: undefined, version: undefined, protocolVersion: undefined, instructions: undefined })
    expect(await client.connect()).toEqual({ name: 'odd', version: '1.2.3', protocolVersion: '2025-11-25', instructions: 'Be odd.' })
  })

  it('connects once, however many come at once', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts })
    const [tools] = await Promise.all([client.listTools(), client.connect(), client.callTool('echo'), client.listTools()])
    expect(tools).toHaveLength(12)
    expect(await linesOf(starts)).toHaveLength(1)
  })

  it('gives what the server answers', async () => {
    expect(await oddClient().callTool('echo', { a: 1 })).toEqual({ status: 'success', content: [{ type: 'text', text: '{"a":1}' }] })
  })

  it('tells of progress in order', async () => {
    const told: JsonValue[] = []
    await oddClient().callTool('progress', { steps: 3, everyMs: 1 }, { onProgress: (value) => told.push(value) })
    expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  })

  it('connects again after the server has died, and says how it died', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts })
    await expect(client.callTool('crash')).rejects.toMatchObject({
      name: 'McpError',
      code: 'mcp_closed',
      server: 'odd',
      message: 'The MCP server "odd" ended with exit code 7. It said last:\nout of cheese',
    })
    expect(textOf(await client.callTool('echo', { again: true }))).toBe('{"again":true}')
    expect(await linesOf(starts)).toHaveLength(2)
  })

  it('does not repeat a call that may have been carried out', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts, tools: [{ name: 'crash', inputSchema: { type: 'object' } }] })
    await client.listTools()
    await expect(client.callTool('crash')).rejects.toThrow('exit code 7')
    expect(await linesOf(starts)).toHaveLength(1)
  })

  it('repeats one that only reads, once', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts, tools: [{ name: 'crash', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] })
    await client.listTools()
    await expect(client.callTool('crash')).rejects.toThrow('exit code 7')
    expect(await linesOf(starts)).toHaveLength(2)
  })

  it('fails what is under way at once when it is closed, and begins anew with connect()', async () => {
    const client = oddClient()
    await client.connect()
    const pending = client.callTool('never').catch((error: unknown) => error)
    await client.callTool('echo')
    const closing = client.close()
    expect(await pending).toMatchObject({ code: 'mcp_closed', server: 'odd' })
    await closing
    await expect(client.callTool('echo')).rejects.toThrow('The client of the MCP server "odd" was closed. Call connect() to use it again.')
    await client.connect()
    expect(textOf(await client.callTool('echo'))).toBe('{}')
  })

  it('hands the server error over with its code', async () => {
    const error = await oddClient()
      .callTool('nothing')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(McpError)
    expect(error).toMatchObject({
      code: 'mcp_protocol',
      rpcCode: -32602,
      message: 'The MCP server "odd" refused: no tool nothing (-32602)',
    })
  })
})

describe('a cancel', () => {
  it('reaches the server', async () => {
    const heard = join(await tempFolder(), 'heard')
    const client = oddClient({ heard })
    await client.connect()
    const controller = new AbortController()
    const pending = client.callTool('never', {}, { signal: controller.signal }).catch((error: unknown) => error)
    // What is answered was sent later.
    await client.callTool('echo')
    controller.abort(new Error('Enough.'))
    expect(await pending).toEqual(new Error('Enough.'))
    await client.callTool('echo')
    expect((await linesOf(heard)).filter((line) => line.startsWith('notifications/cancelled'))).toHaveLength(1)
  })

  it('of the only one who waits for the connection ends the attempt', async () => {
    const client = oddClient({ silentStart: true })
    const controller = new AbortController()
    const pending = client.connect({ signal: controller.signal })
    controller.abort(new Error('Not any more.'))
    await expect(pending).rejects.toThrow('Not any more.')
  })

  it('of one is not told to the next', async () => {
    const client = oddClient()
    const controller = new AbortController()
    const pending = client.connect({ signal: controller.signal })
    controller.abort(new Error('Not any more.'))
    await expect(pending).rejects.toThrow('Not any more.')
    expect((await client.connect()).name).toBe('odd')
  })
})

describe('a server that cannot be started', () => {
  it('is named, with what it said', async () => {
    await expect(oddClient({ failStart: 'No licence found.' }).connect()).rejects.toMatchObject({
      code: 'mcp_start_failed',
      server: 'odd',
      message: 'The MCP server "odd" could not be started: it ended with exit code 3. It said last:\nNo licence found.',
    })
  })

  it('is named when there is no such program', async () => {
    const { McpClient } = await import('lena-agent/mcp')
    const client = new McpClient({ command: 'no-such-program-anywhere' })
    await expect(client.connect()).rejects.toThrow(
      'The MCP server "no-such-program-anywhere" could not be started: spawn no-such-program-anywhere ENOENT. Is the program installed?',
    )
  })

  it('that never answers is given up in time', async () => {
    await expect(oddClient({ silentStart: true }, { startTimeoutMs: 200 }).connect()).rejects.toThrow(
      /^The MCP server "odd" could not be started: /,
    )
  })
})

describe('an old server', () => {
  it('that ends at a request it does not know is greeted as of old', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ diesOnUnknown: true, starts })
    expect((await client.connect()).protocolVersion).toBe('2025-11-25')
    expect(await linesOf(starts)).toHaveLength(2)
  })

  it('is asked for the log level', async () => {
    const heard = join(await tempFolder(), 'heard')
    const client = oddClient({ heard }, { logLevel: 'warning' })
    await client.callTool('echo')
    expect(await linesOf(heard)).toContain('level warning')
  })
})
