import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { linesOf, oddProgram } from '../../mcp/support/odd.ts'
import { freePort, startEverything } from '../../mcp/support/reference.ts'
import { mcpWorld, write } from './support/mcp-world.ts'

const tools = [
  { name: 'look', description: 'Looks.\nLong.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'delete', description: 'x'.repeat(90), inputSchema: { type: 'object' } },
]

describe('lena mcp test', { timeout: 60_000 }, () => {
  it('connects to each, and shows its tools with their flags', async () => {
    const { mcp, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { odd: oddProgram({ tools }), off: { command: 'off', disabled: true } } })
    const { code, stdout, stderr } = await mcp('test')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        'ok odd: odd 1.2.3, MCP 2025-11-25, 2 tools, 0 ms',
        '  TOOL              READ-ONLY  DESTRUCTIVE  CONCURRENT  WHAT IT DOES',
        '  mcp__odd__look    yes        no           yes         Looks.',
        `  mcp__odd__delete  no         yes          no          ${'x'.repeat(77)}...`,
        '',
      ].join('\n'),
    )
  })

  it('ends with 1 when one fails, and names it', async () => {
    const { mcp, userFile } = await mcpWorld()
    await write(userFile, {
      mcpServers: {
        good: oddProgram({ tools: [] }),
        bad: oddProgram({ failStart: 'no licence\u001b[2J\nat all' }),
        wrong: { command: 'x', args: 1 },
      },
    })
    const { code, stdout } = await mcp('test')
    expect([code, stdout]).toEqual([
      1,
      [
        'ok good: odd 1.2.3, MCP 2025-11-25, 0 tools, 0 ms',
        'x bad: The MCP server "bad" could not be started: it ended with exit code 3. It said last:',
        '    no licence\\x1b[2J',
        '    at all',
        `x wrong: ${userFile}: mcpServers.wrong.args must be a list of strings, got a number.`,
        '',
      ].join('\n'),
    ])
    expect((await mcp('test', 'good')).code).toBe(0)
    expect((await mcp('test', 'bad')).code).toBe(1)
  })

  it('tells programs the same as JSON', async () => {
    const { mcp, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { odd: oddProgram({ tools: tools.slice(0, 1) }), bad: { command: 'no-such-program-1' } } })
    const { code, stdout } = await mcp('test', '--output', 'json')
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        servers: [
          {
            name: 'odd',
            ok: true,
            ms: 0,
            server: { name: 'odd', version: '1.2.3', protocolVersion: '2025-11-25', instructions: 'Be odd.' },
            tools: [
              { name: 'mcp__odd__look', description: 'Looks.\nLong.', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
            ],
            error: null,
          },
          {
            name: 'bad',
            ok: false,
            ms: 0,
            server: null,
            tools: [],
            error: { code: 'mcp_start_failed', message: expect.stringContaining('The MCP server "bad" could not be started') as string },
          },
        ],
      },
    ])
  })

  it('reaches a server over HTTP', async () => {
    const { mcp, userFile } = await mcpWorld()
    const port = await freePort()
    await startEverything('streamableHttp', port)
    await write(userFile, { mcpServers: { every: { url: `http://127.0.0.1:${port}/mcp`, includeTools: ['echo'] } } })
    const { code, stdout } = await mcp('test', 'every')
    expect([code, stdout]).toEqual([0, expect.stringContaining('  mcp__every__echo') as string])
  })

  it('leaves the project out when nobody is there to trust it, and asks a person who is', async () => {
    const { mcp, atTerminal, projectFile, workspace } = await mcpWorld()
    const starts = join(workspace, 'starts')
    await write(projectFile, { mcpServers: { odd: oddProgram({ starts, tools: [] }) } })
    const alone = await mcp('test')
    expect(alone).toEqual({
      code: 0,
      stdout: 'No MCP servers to test.\n',
      stderr: `! ${projectFile} is not trusted, so it is left out. It would have Lena use this MCP server: odd. Trust it with \`lena mcp trust\`, or give it with --mcp-config.\n`,
    })
    const refused = atTerminal('test')
    await refused.world.stdout.shows('[o]nce / [n]o: ')
    expect(refused.world.stdout.text).toContain(
      `? ${projectFile} would have Lena use this MCP server: odd. It came with the folder.\n    odd: runs `,
    )
    refused.world.type('n\r')
    expect((await refused.ended).code).toBe(0)
    const left = atTerminal('test')
    await left.world.stdout.shows('[o]nce / [n]o: ')
    left.world.type('\u0003')
    expect((await left.ended).code).toBe(130)
    expect(await linesOf(starts)).toEqual([])
    const trusted = atTerminal('test')
    await trusted.world.stdout.shows('[o]nce / [n]o: ')
    trusted.world.type('y\r')
    expect((await trusted.ended).stdout).toContain('ok odd: odd 1.2.3')
    expect((await mcp('test')).stdout).toContain('ok odd: odd 1.2.3')
  })

  it('is given up with Ctrl-C', async () => {
    const { atTerminal, userFile, workspace } = await mcpWorld()
    const starts = join(workspace, 'starts')
    await write(userFile, { mcpServers: { silent: oddProgram({ silentStart: true, starts }) } })
    const { world, ended } = atTerminal('test')
    await vi.waitUntil(async () => (await linesOf(starts)).length > 0, { timeout: 60_000, interval: 10 })
    world.signal('SIGINT')
    expect((await ended).code).toBe(130)
    expect(world.listeners()).toBe(0)
  })
})
