import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpServers } from '../../../src/cli/mcp/mcp-servers.ts'
import { Agent } from '../../../src/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import type { World } from '../support/world.ts'
import { loginServer } from './support/login-server.ts'
import { mcpWorld, write } from './support/mcp-world.ts'

/** The page that a person is asked to open. */
async function pageAt({ stdout }: World): Promise<string> {
  await stdout.shows('Open this page to log in')
  const [page] = /http:\/\/\S+\/authorize\S+/.exec(stdout.text)!
  return page
}

describe('lena mcp login', { timeout: 60_000 }, () => {
  it('shows the page, waits for the browser, and keeps the login where only the user can read it', async () => {
    const server = await loginServer()
    const { mcp, atTerminal, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { vault: { url: server.url } } })
    const { world, ended } = atTerminal('login', 'vault')
    expect(await server.visit(await pageAt(world))).toBe(200)
    expect(await ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Connected to vault. A login is kept for later runs;') as string,
    })
    const logins = join(dirname(userFile), 'logins')
    const [file, ...others] = await readdir(logins)
    expect(others).toEqual([])
    expect([(await stat(logins)).mode & 0o777, (await stat(join(logins, file!))).mode & 0o777]).toEqual([0o700, 0o600])
    expect(JSON.parse(await readFile(join(logins, file!), 'utf8'))).toMatchObject({
      url: server.url,
      login: { tokens: { access_token: 'token-1' } },
    })
    // Without a person, from the kept login.
    const tested = await mcp('test')
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('mcp__vault__open') as string })
    expect(tested.stdout + tested.stderr + (await ended).stdout).not.toContain('token-1')
  })

  it('is not asked for by a run: the server is named and left out, and it is said how to log in', async () => {
    const server = await loginServer()
    const { io, workspace, userFile, mcp } = await mcpWorld()
    await write(userFile, { mcpServers: { vault: { url: server.url } } })
    const tools = await mcpServers({ io: io().io, workspace, given: [], warn: expect.unreachable, signal: new AbortController().signal })
    const agent = new Agent({ model: scriptedModel({ text: 'Hello.' }), tools: [...tools] })
    onTestFinished(() => agent.close())
    const told: string[] = []
    const { stopReason } = await agent.invoke('Hello?', { onEvent: (event) => void (event.type === 'warning' && told.push(event.message)) })
    expect([stopReason, told]).toEqual([
      'end_turn',
      [expect.stringMatching(/^The MCP server "vault" .*Log in with `lena mcp login vault`\./) as string],
    ])
    expect((await mcp('test')).stdout).toContain('Log in with `lena mcp login vault`.')
    expect(server.asked).not.toContain('/authorize')
  })

  it('is forgotten by logout', async () => {
    const server = await loginServer()
    const { mcp, atTerminal, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { vault: { url: server.url }, program: { command: 'x' } } })
    const { world, ended } = atTerminal('test', 'vault')
    await server.visit(await pageAt(world))
    expect((await ended).code).toBe(0)
    expect((await mcp('logout', 'vault')).stdout).toBe('The login to vault is forgotten.\n')
    expect((await mcp('logout', 'vault')).stdout).toBe('There was no login to vault.\n')
    expect((await mcp('test')).code).toBe(1)
    await expect(mcp('logout', 'program')).rejects.toThrow('The MCP server "program" is a program. One logs in to servers with a "url".')
  })

  it('is given up with Ctrl-C', async () => {
    const server = await loginServer()
    const { atTerminal, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { vault: { url: server.url } } })
    const { world, ended } = atTerminal('login', 'vault')
    await pageAt(world)
    world.signal('SIGINT')
    expect((await ended).code).toBe(130)
    expect(server.tokens.size).toBe(0)
  })

  it('belongs to an address, not to a name', async () => {
    const [server, other] = [await loginServer(), await loginServer()]
    const { mcp, atTerminal, userFile } = await mcpWorld({ env: { WHERE: server.url } })
    await write(userFile, { mcpServers: { vault: { url: '${WHERE}' } } })
    const { world, ended } = atTerminal('login', 'vault')
    await server.visit(await pageAt(world))
    expect((await ended).code).toBe(0)
    expect((await mcp('test')).code).toBe(0)
    await write(userFile, { mcpServers: { vault: { url: other.url } } })
    other.tokens.add('token-1')
    expect((await mcp('test')).code).toBe(1)
  })
})
