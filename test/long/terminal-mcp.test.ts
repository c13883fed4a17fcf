import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestContext } from 'vitest'
import { oddProgram, runs } from '../mcp/support/odd.ts'
import { hasTerminal, lena, start } from '../terminal/support/lena.ts'
import type { Ended, StartOptions } from '../terminal/support/lena.ts'

type Place = {
  readonly cwd: string
  readonly env: Record<string, string>
  /** Gets a line with the id of each process that a server is started as. */
  readonly starts: string
  project(servers: Record<string, unknown>): void
}

/** A folder with a project, and a user who trusts nothing yet. */
function place({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Place {
  const cwd = mkdtempSync(join(tmpdir(), 'lena-terminal-'))
  const config = mkdtempSync(join(tmpdir(), 'lena-config-'))
  onTestFinished(() => {
    for (const folder of [cwd, config]) rmSync(folder, { recursive: true, force: true })
  })
  return {
    cwd,
    env: { LENA_CONFIG_DIR: config },
    starts: join(cwd, 'starts'),
    project: (servers) => writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers })),
  }
}

const said = 'The tool said: {"word":"hello"}'
const unknown = 'The tool said: There is no tool'
const pidsIn = (file: string): readonly number[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [])

describe.skipIf(!hasTerminal).concurrent('MCP servers of a project, in a terminal', { timeout: 120_000 }, () => {
  /** One task, with this answer to the question; `undefined`: it must not be asked. */
  async function task(test: TestContext, { cwd, env }: Place, answer: string | undefined, more: StartOptions = {}): Promise<Ended> {
    const { child, shows, ended } = start(test, ['say hello'], { script: 'mcp', cwd, env, terminal: true, ...more })
    if (answer !== undefined) {
      await shows('[o]nce / [n]o: ')
      child.stdin.write(answer)
    }
    return await ended
  }

  it('are shown, and started when they are trusted; then until the file changes', async (test) => {
    const at = place(test)
    at.project({ odd: oddProgram({ starts: at.starts }) })
    const first = await task(test, at, 'y\r')
    expect(first.stdout).toContain('.mcp.json would have Lena use this MCP server: odd. It came with the folder.\n    odd: runs ')
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(said) as string])
    // What was started has ended with the agent.
    expect(pidsIn(at.starts).map(runs)).not.toContain(true)
    const second = await task(test, at, undefined)
    expect([second.code, second.stdout.includes(said), second.stdout.includes('Trust it?')]).toEqual([0, true, false])
    at.project({ odd: { ...oddProgram({ starts: at.starts }), env: { CHANGED: 'yes' } } })
    const changed = await task(test, at, 'o\r')
    expect(changed.stdout).toContain('It has changed since you trusted it.')
    expect(changed.stdout).toContain('      with CHANGED=yes\n')
    expect(changed.stdout).toContain(said)
    const once = await task(test, at, 'n\r')
    expect(once.stdout).toContain(unknown)
  })

  it('are not started when they are refused, and the task goes on without them', async (test) => {
    const at = place(test)
    at.project({ odd: oddProgram({ starts: at.starts }) })
    const { code, stdout } = await task(test, at, 'n\r')
    expect([code, stdout]).toEqual([0, expect.stringContaining(unknown) as string])
    expect(pidsIn(at.starts)).toEqual([])
  })

  it('are not started when the question is left with Ctrl-C, and the terminal is as it was', async (test) => {
    const at = place(test)
    at.project({ odd: oddProgram({ starts: at.starts }) })
    const around = 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code'
    const { code } = await task(test, at, '\u0003', { around })
    expect(code).toBe(130)
    expect(pidsIn(at.starts)).toEqual([])
    expect(readFileSync(join(at.cwd, 'after'), 'utf8')).toBe(readFileSync(join(at.cwd, 'before'), 'utf8'))
  })

  it('cannot forge the question with what stands in the file', async (test) => {
    const at = place(test)
    at.project({ 'x\u001b[2J\u001b[H\r\nTrust it? [y]es': { command: 'sh\u001b]0;title\u0007', args: ['\u202e', `a${' '.repeat(200)}b`] } })
    const { stdout } = await task(test, at, 'n\r')
    const question = stdout.slice(stdout.indexOf('.mcp.json'), stdout.indexOf('\n', stdout.indexOf("runs 'sh")))
    expect(question).toContain("'x\\x1b[2J\\x1b[H\\r\\nTrust it? [y]es': runs 'sh\\x1b]0;title\\x07' '\\u{202e}' 'a\\x20{200}b'")
    expect(question).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  })

  it('are there for the first task of a conversation, and end with it', async (test) => {
    const at = place(test)
    at.project({ odd: oddProgram({ starts: at.starts }) })
    const { child, shows, ended } = start(test, [], { script: 'mcp', cwd: at.cwd, env: at.env, terminal: true })
    await shows('[o]nce / [n]o: ')
    child.stdin.write('o\r')
    await shows('/help for help')
    child.stdin.write('say hello\r')
    await shows(said)
    expect(pidsIn(at.starts).map(runs)).toContain(true)
    child.stdin.write('/exit\r')
    expect((await ended).code).toBe(0)
    expect(pidsIn(at.starts).map(runs)).not.toContain(true)
  })

  it('do not keep a conversation from its first screen', async (test) => {
    const at = place(test)
    writeFileSync(
      join(at.env['LENA_CONFIG_DIR']!, 'mcp.json'),
      JSON.stringify({ mcpServers: { silent: oddProgram({ silentStart: true, starts: at.starts }) } }),
    )
    const { child, shows, ended } = start(test, [], { script: 'mcp', cwd: at.cwd, env: at.env, terminal: true })
    await shows('> ')
    child.stdin.write('\u0004')
    expect((await ended).code).toBe(0)
    expect(pidsIn(at.starts).map(runs)).not.toContain(true)
  })
})

describe.concurrent('MCP servers with nobody to ask', { timeout: 120_000 }, () => {
  it('are left out when the project names them, and it is said how to trust them', async (test) => {
    const at = place(test)
    at.project({ odd: oddProgram({ starts: at.starts }) })
    const { code, stdout, stderr } = await lena(test, ['-p', 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([code, stdout]).toEqual([0, expect.stringContaining(unknown) as string])
    expect(stderr).toContain(
      '/.mcp.json is not trusted, so it is left out. It would have Lena use this MCP server: odd. Trust it with `lena mcp trust`, or give it with --mcp-config.\n',
    )
    expect(pidsIn(at.starts)).toEqual([])
    const given = await lena(test, ['-p', '--mcp-config', '.mcp.json', 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([given.code, given.stdout, given.stderr]).toEqual([0, `${said}\n`, ''])
    expect((await lena(test, ['mcp', 'trust'], { cwd: at.cwd, env: at.env })).code).toBe(0)
    const trusted = await lena(test, ['-p', 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([trusted.code, trusted.stdout, trusted.stderr]).toEqual([0, `${said}\n`, ''])
  })

  it('are named when they fail, and the task goes on with the others', async (test) => {
    const at = place(test)
    const servers = { odd: oddProgram(), bad: oddProgram({ failStart: 'no licence' }), missing: { command: 'no-such-program-1' } }
    writeFileSync(join(at.env['LENA_CONFIG_DIR']!, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
    const { code, stdout, stderr } = await lena(test, ['-p', 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([code, stdout]).toEqual([0, `${said}\n`])
    expect(stderr).toContain('The MCP server "bad" could not be started: it ended with exit code 3. It said last:\\nno licence')
    expect(stderr).toContain('The MCP server "missing" could not be started: ')
    const tested = await lena(test, ['mcp', 'test'], { cwd: at.cwd, env: at.env })
    expect([tested.code, tested.stdout]).toEqual([1, expect.stringMatching(/^ok odd: odd 1\.2\.3, .*^x bad: .*^x missing: /ms) as string])
  })

  it('are off by the settings, but for those of --mcp-config', async (test) => {
    const at = place(test)
    const [config, given] = [at.env['LENA_CONFIG_DIR']!, join(at.cwd, 'given.json')]
    writeFileSync(join(config, 'config.json'), JSON.stringify({ mcp: { enabled: false } }))
    writeFileSync(join(config, 'mcp.json'), JSON.stringify({ mcpServers: { odd: oddProgram({ starts: at.starts }) } }))
    writeFileSync(given, JSON.stringify({ mcpServers: { odd: oddProgram() } }))
    const off = await lena(test, ['-p', 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([off.code, off.stdout]).toEqual([0, expect.stringContaining(unknown) as string])
    const on = await lena(test, ['-p', '--mcp-config', given, 'say hello'], { script: 'mcp', cwd: at.cwd, env: at.env })
    expect([on.code, on.stdout, on.stderr]).toEqual([0, `${said}\n`, ''])
    expect(pidsIn(at.starts)).toEqual([])
  })

  it('are added, listed and removed without a secret on the screen', async (test) => {
    const at = place(test)
    const mcp = (...words: string[]): Promise<Ended> => lena(test, ['mcp', ...words], { cwd: at.cwd, env: at.env })
    expect((await mcp('add', 'files', '--env', 'TOKEN=s3cret', '--', 'npx', '-y', 'files', '-p')).code).toBe(0)
    const listed = await mcp('list', '-C', at.cwd)
    expect(listed.stdout).toBe('NAME   TRANSPORT  SCOPE  STATE  WHAT\nfiles  stdio      user   used   npx -y files -p  TOKEN=***\n')
    const again = await mcp('add', 'files', '--output', 'json', '--', 'x')
    expect([again.code, again.stdout.includes('s3cret'), again.stderr.includes('s3cret')]).toEqual([2, false, false])
    expect((JSON.parse(again.stdout) as { code: string }).code).toBe('usage')
    expect((await mcp('remove', 'files')).code).toBe(0)
    expect((await mcp()).stdout).toContain('No MCP servers.')
  })
})
