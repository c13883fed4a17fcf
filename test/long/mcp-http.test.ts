import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient } from 'lena-agent/mcp'
import { driveEverything } from '../mcp/support/drive-everything.ts'
import { end, freePort, startEverything } from '../mcp/support/reference.ts'

describe('the reference server', () => {
  it('is driven through all its tools, over streamable HTTP', async () => {
    const port = await freePort()
    await startEverything('streamableHttp', port)
    expect(await driveEverything({ url: `http://127.0.0.1:${port}/mcp` })).toBe('All done.')
  })

  it('is driven through all its tools, over the older SSE', async () => {
    const port = await freePort()
    await startEverything('sse', port)
    expect(await driveEverything({ url: `http://127.0.0.1:${port}/sse` })).toBe('All done.')
  })
})

describe('a server over HTTP that is killed in a call', () => {
  it('fails the call, and is used again once it is back', async () => {
    const port = await freePort()
    const first = await startEverything('streamableHttp', port)
    const client = new McpClient({ url: `http://127.0.0.1:${port}/mcp`, name: 'everything' })
    onTestFinished(() => client.close())
    await client.connect()
    let begun = (): void => {}
    const progressed = new Promise<void>((resolve) => (begun = resolve))
    const pending = client
      .callTool('trigger-long-running-operation', { duration: 60, steps: 300 }, { onProgress: () => begun() })
      .catch((error: unknown) => error)
    await progressed
    await end(first)
    expect(await pending).toMatchObject({ code: 'mcp_closed', server: 'everything' })
    await startEverything('streamableHttp', port)
    expect(await client.callTool('echo', { message: 'back' })).toEqual({
      status: 'success',
      content: [{ type: 'text', text: 'Echo: back' }],
    })
  })
})
