import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ProcessTransport } from '../../src/mcp/process-transport.ts'
import { systemClock } from '../../src/util/clock.ts'
import { linesOf, oddClient, oddProgram, runs, tempFolder } from './support/odd.ts'

describe('a server that is a program', () => {
  it('gets what any program needs, what is named for it, and no key of a provider', async () => {
    process.env['OPENAI_API_KEY'] = 'secret'
    process.env['SOMETHING_ELSE'] = 'private'
    try {
      const { content } = await oddClient({}, { env: { GREETING: 'hello' } }).callTool('env')
      const env = JSON.parse((content[0] as { text: string }).text) as Record<string, string>
      expect(env['GREETING']).toBe('hello')
      expect(env['PATH']).toBe(process.env['PATH'])
      expect(env).not.toHaveProperty('OPENAI_API_KEY')
      expect(env).not.toHaveProperty('SOMETHING_ELSE')
    } finally {
      delete process.env['OPENAI_API_KEY']
      delete process.env['SOMETHING_ELSE']
    }
  })

  it('ends with all that it started, even when it does not want to', async () => {
    const folder = await tempFolder()
    const [starts, heard, child] = ['starts', 'heard', 'child'].map((name) => join(folder, name)) as [string, string, string]
    const client = oddClient({ starts, heard, child, stubborn: true })
    await client.callTool('echo')
    const pids = [Number((await linesOf(starts)).at(-1)), Number(await readFile(child, 'utf8'))]
    expect(pids.map(runs)).toEqual([true, true])
    await client.close()
    expect(await linesOf(heard)).toContain('SIGTERM')
    expect(await untilGone(pids)).toEqual([false, false])
  }, 30_000)

  it('is not left behind when the connection is closed while it starts', async () => {
    const transport = new ProcessTransport(oddProgram({ stubborn: true }), systemClock)
    const starting = transport.start()
    await transport.close()
    await starting
    expect(await untilGone([transport.pid!])).toEqual([false])
  }, 30_000)

  it('has ended when its client is closed, even if it never answered', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts, silentStart: true })
    const connecting = client.connect().catch((error: unknown) => error)
    await vi.waitUntil(async () => (await linesOf(starts)).length > 0, { timeout: 60_000, interval: 10 })
    await client.close()
    expect((await linesOf(starts)).map(Number).map(runs)).toEqual([false])
    expect(await connecting).toMatchObject({ code: 'mcp_closed' })
  }, 30_000)

  it('is not started when the connection was closed before', async () => {
    const transport = new ProcessTransport(oddProgram(), systemClock)
    await transport.close()
    await expect(transport.start()).rejects.toThrow('Not connected')
    expect(transport.pid).toBe(null)
  })

  it('that dies takes what it started with it', async () => {
    const folder = await tempFolder()
    const client = oddClient({ child: join(folder, 'child') })
    await expect(client.callTool('crash')).rejects.toThrow('exit code 7')
    expect(await untilGone([Number(await readFile(join(folder, 'child'), 'utf8'))])).toEqual([false])
  })
})

/** The system takes a moment to bury an orphan. */
async function untilGone(pids: readonly number[]): Promise<readonly boolean[]> {
  for (let look = 0; look < 1000 && pids.some(runs); look++) await new Promise((resolve) => setTimeout(resolve, 25))
  return pids.map(runs)
}
