import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '@modelcontextprotocol/client'
import type { Revision, ServedProcess } from '../mcp/support/official-client.ts'
import { overHttp, overStreams, servedProcess } from '../mcp/support/official-client.ts'

const long = 60_000
const rows = (['stdio', 'http'] as const).flatMap((way) =>
  (['2025-11-25', '2026-07-28'] as const).map((revision) => [way, revision] as const),
)

/** What a call came to, without what a transport adds to it. */
const outcome = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<object> => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input }, { timeout: long })
  return { content, ...(structuredContent !== undefined && { structuredContent }), ...(isError !== undefined && { isError }) }
}
const text = (said: string): object => ({ content: [{ type: 'text', text: said }] })

describe.each(rows)('a second process, spoken to by the official client over %s in the revision %s', (way, revision) => {
  let server: ServedProcess | undefined
  let client: Client
  const connect = async (what: 'tools' | 'agent'): Promise<Client> => {
    if (way === 'stdio') return overStreams(revision, what)
    server = await servedProcess(what)
    return overHttp(revision, server.url)
  }
  const disconnect = async (): Promise<void> => {
    await client.close()
    await server?.stop()
  }

  describe('serves tools that', () => {
    beforeAll(async () => void (client = await connect('tools')), long)
    afterAll(disconnect, long)

    it('are introduced in the greeting', () => {
      expect([client.getServerVersion(), client.getInstructions(), client.getServerCapabilities()]).toEqual([
        { name: 'second', version: '2.0.0' },
        'Use it well.',
        { tools: {} },
      ])
      expect(client.getNegotiatedProtocolVersion()).toBe(revision satisfies Revision)
    })

    it(
      'are listed',
      async () => {
        const { tools } = await client.listTools()
        expect(tools.map(({ name }) => name)).toEqual(['add', 'walk', 'see', 'fail', 'wait', 'until', 'seen'])
        expect(tools[0]).toEqual({
          name: 'add',
          description: 'Adds numbers.',
          inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
          annotations: { readOnlyHint: true, destructiveHint: false },
        })
      },
      long,
    )

    it(
      'give structured content',
      async () => {
        expect(await outcome(client, 'add', { a: 40, b: 2 })).toEqual({ ...text('42'), structuredContent: { sum: 42 } })
      },
      long,
    )

    it(
      'tell of their progress',
      async () => {
        const progress: unknown[] = []
        // The official client forgets a call with its result, and then reports no more that was read at the same time.
        const onprogress = (value: unknown): void => {
          if (progress.push(value) === 3) void client.callTool({ name: 'see', arguments: {} })
        }
        const options = { onprogress, timeout: long }
        const { content } = await client.callTool({ name: 'walk', arguments: {} }, options)
        expect({ content }).toEqual(text('There.'))
        expect(progress).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })))
      },
      long,
    )

    it(
      'fail as results',
      async () => {
        expect(await outcome(client, 'fail')).toEqual({ ...text('RangeError: Too far.'), isError: true })
        expect(await outcome(client, 'add', { a: 1 })).toMatchObject({
          content: [{ text: expect.stringContaining('The input of add is not valid') as string }],
          isError: true,
        })
      },
      long,
    )

    it(
      'are told of the cancel of their call, and of no other',
      async () => {
        const cut = ['one', 'two'].map(() => new AbortController())
        const pending = ['one', 'two'].map((name, index) =>
          client
            .callTool({ name: 'wait', arguments: { name } }, { signal: cut[index]!.signal, timeout: long })
            .catch(() => `${name} ended`),
        )
        await outcome(client, 'until', { event: 'one began' })
        await outcome(client, 'until', { event: 'two began' })
        cut[0]!.abort()
        expect(await pending[0]).toBe('one ended')
        await outcome(client, 'until', { event: 'one was told to stop' })
        expect(await outcome(client, 'seen')).toEqual(text('one began, two began, one was told to stop'))
        cut[1]!.abort()
        expect(await pending[1]).toBe('two ended')
        await outcome(client, 'until', { event: 'two was told to stop' })
      },
      long,
    )
  })

  describe('serves an agent that', () => {
    beforeAll(async () => void (client = await connect('agent')), long)
    afterAll(disconnect, long)

    it(
      'is a tool, and asks its model as often as the task needs it',
      async () => {
        const { tools } = await client.listTools()
        expect(tools.map(({ name, description }) => [name, description])).toEqual([['helper', 'Helps.']])
        expect(await outcome(client, 'helper', { input: 'Add.' })).toEqual(text('2 calls of the model, 3 messages'))
        expect(await outcome(client, 'helper', { input: 'Again.' })).toEqual(text('4 calls of the model, 3 messages'))
      },
      long,
    )
  })
})
