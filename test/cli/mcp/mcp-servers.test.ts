import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpServers } from '../../../src/cli/mcp/mcp-servers.ts'
import type { McpSetup } from '../../../src/cli/mcp/mcp-servers.ts'
import type { TrustAnswer, TrustQuestion } from '../../../src/cli/trust/ask-trust.ts'
import { Agent } from '../../../src/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import { linesOf, oddProgram } from '../../mcp/support/odd.ts'
import { everything } from '../../mcp/support/reference.ts'
import type { McpWorld } from './support/mcp-world.ts'
import { mcpWorld, write } from './support/mcp-world.ts'

type Loaded = { readonly agent: Agent; readonly warnings: string[]; readonly asked: TrustQuestion[] }

/** An agent with the servers of a run. What the servers cannot do comes as its own warnings. */
async function loaded({ io, workspace }: McpWorld, answer?: TrustAnswer, more: Partial<McpSetup> = {}): Promise<Loaded> {
  const warnings: string[] = []
  const asked: TrustQuestion[] = []
  const ask = async (question: TrustQuestion): Promise<TrustAnswer> => {
    asked.push(question)
    return answer!
  }
  const tools = await mcpServers({
    io: io().io,
    workspace,
    given: [],
    ...(answer !== undefined && { ask }),
    warn: (text) => void warnings.push(text.replaceAll(workspace, 'WORK')),
    signal: new AbortController().signal,
    ...more,
  })
  const agent = new Agent({ model: scriptedModel({ text: 'Hello.' }, { text: 'And again.' }), tools: [...tools] })
  onTestFinished(() => agent.close())
  return { agent, warnings, asked }
}

const config = (servers: Record<string, unknown>): object => ({ mcpServers: servers })

const only = ['echo', 'env', 'log']
const odd = (oddity: Record<string, unknown> = {}): object => ({ ...oddProgram(oddity), includeTools: only })

describe('the servers of a run', { timeout: 60_000 }, () => {
  it('come from the user and from --mcp-config, by names of their own, beside each other', async () => {
    const at = await mcpWorld()
    const given = join(at.workspace, 'given.json')
    await write(at.userFile, config({ 'my odd.one': odd(), off: { command: 'off', disabled: true } }))
    await write(given, config({ every: { command: process.execPath, args: [everything], includeTools: ['echo', 'get-sum'] } }))
    const inline = JSON.stringify(config({ inline: { ...odd(), includeTools: ['echo'] } }))
    const { agent, warnings } = await loaded(at, undefined, { given: [given, inline] })
    await agent.ready()
    expect(agent.tools.names).toEqual([
      'mcp__my_odd_one__echo',
      'mcp__my_odd_one__env',
      'mcp__my_odd_one__log',
      'mcp__every__echo',
      'mcp__every__get-sum',
      'mcp__inline__echo',
    ])
    expect(warnings).toEqual([])
    const { status, content } = await agent.callTool('mcp__every__get-sum', { a: 2, b: 3 })
    expect([status, content]).toEqual(['success', [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]])
  })

  it('are those of the command line before the project, and those before the user', async () => {
    const at = await mcpWorld()
    const server = (name: string): object => odd({ tools: [{ name, inputSchema: { type: 'object' } }] })
    const named = (names: Record<string, string>): object =>
      config(Object.fromEntries(Object.entries(names).map(([name, tool]) => [name, { ...server(tool), includeTools: [tool] }])))
    const [first, second] = [join(at.workspace, '1.json'), join(at.workspace, '2.json')]
    await write(at.userFile, named({ a: 'user', b: 'user', c: 'user' }))
    await write(at.projectFile, named({ b: 'project', c: 'project' }))
    await write(first, named({ c: 'first', d: 'first' }))
    await write(second, named({ d: 'second' }))
    const { agent } = await loaded(at, 'once', { given: [first, second] })
    await agent.ready()
    expect(agent.tools.names).toEqual(['mcp__a__user', 'mcp__b__project', 'mcp__c__first', 'mcp__d__second'])
  })

  it('start nothing of the project before it is trusted', async () => {
    const at = await mcpWorld()
    const starts = join(at.workspace, 'starts')
    await write(at.projectFile, config({ mine: odd({ starts }), yours: { url: 'http://127.0.0.1:1/mcp' } }))
    for (const answer of [undefined, 'no'] as const) {
      const { agent, warnings, asked } = await loaded(at, answer)
      await agent.ready()
      expect(agent.tools.names).toEqual([])
      expect(asked).toHaveLength(answer === 'no' ? 1 : 0)
      expect(warnings).toEqual(
        answer === 'no'
          ? []
          : [
              'WORK/.mcp.json is not trusted, so it is left out. It would have Lena use these 2 MCP servers: mine, yours. Trust it with `lena mcp trust`, or give it with --mcp-config.',
            ],
      )
    }
    expect(await linesOf(starts)).toEqual([])
    const { agent } = await loaded(at, 'once')
    await agent.ready()
    expect(agent.tools.names).toContain('mcp__mine__echo')
    expect((await linesOf(starts)).length).toBeGreaterThan(0)
  })

  it('are asked for again when the file has changed, and not while it has not', async () => {
    const at = await mcpWorld()
    await write(at.projectFile, config({ a: odd() }))
    expect((await loaded(at, 'always')).asked).toHaveLength(1)
    expect((await loaded(at, 'always')).asked).toHaveLength(0)
    await write(at.projectFile, config({ a: { ...odd(), env: { NODE_OPTIONS: '--require ./evil.js' } } }))
    const { asked } = await loaded(at, 'no')
    expect(asked.map(({ hasChanged, lines }) => [hasChanged, lines.at(-1)])).toEqual([[true, '  with NODE_OPTIONS=--require ./evil.js']])
  })

  it('are those that were asked about, although the file is another one by then', async () => {
    const at = await mcpWorld()
    const [shown, swapped] = [join(at.workspace, 'shown'), join(at.workspace, 'swapped')]
    await write(at.projectFile, config({ a: odd({ starts: shown }) }))
    const { agent } = await loaded(at, undefined, {
      ask: async () => {
        await write(at.projectFile, config({ a: odd({ starts: swapped }) }))
        return 'always'
      },
    })
    await agent.ready()
    expect([(await linesOf(shown)).length > 0, await linesOf(swapped)]).toEqual([true, []])
    expect((await loaded(at, 'no')).asked).toHaveLength(1)
  })

  it('of a repository are found from a folder in it, and not beyond it', async () => {
    const at = await mcpWorld()
    await mkdir(join(at.workspace, '.git'))
    const [inside, nested] = [join(at.workspace, 'packages', 'a'), join(at.workspace, 'vendored')]
    await mkdir(inside, { recursive: true })
    await mkdir(join(nested, '.git'), { recursive: true })
    await symlink(inside, join(at.workspace, 'link'))
    await write(at.projectFile, config({ a: odd() }))
    const asked = async (workspace: string): Promise<readonly string[]> =>
      (await loaded({ ...at, workspace }, 'once')).asked.map(({ file }) => file.path)
    expect(await Promise.all([inside, join(at.workspace, 'link'), nested].map(asked))).toEqual([[at.projectFile], [at.projectFile], []])
    // One that was cloned later is another folder, and trust in the one above it says nothing of it.
    await (await loaded(at, 'always')).agent.close()
    await write(join(nested, '.mcp.json'), config({ a: odd() }))
    expect([await asked(at.workspace), await asked(nested)]).toEqual([[], [join(nested, '.mcp.json')]])
  })

  it('of the project need no question when the file is given', async () => {
    const at = await mcpWorld()
    await write(at.projectFile, config({ a: odd() }))
    const { agent, asked } = await loaded(at, 'no', { given: ['.mcp.json'] })
    await agent.ready()
    expect([agent.tools.names.length, asked]).toEqual([3, []])
  })

  it('leave out what fails, by its name, and go on with the others', async () => {
    const at = await mcpWorld()
    await write(
      at.userFile,
      config({
        good: odd(),
        broken: oddProgram({ failStart: 'no licence' }),
        missing: { command: 'no-such-program-1' },
        faulty: { command: 'x', args: 'y' },
        unset: { command: '${NOT_SET_1}' },
      }),
    )
    const { agent, warnings } = await loaded(at)
    const told: string[] = []
    const result = await agent.invoke('Hello?', { onEvent: (event) => void (event.type === 'warning' && told.push(event.message)) })
    expect([result.stopReason, agent.tools.names.length]).toEqual(['end_turn', 3])
    expect(warnings).toEqual([
      `The MCP server "faulty" is left out. ${at.userFile}: mcpServers.faulty.args must be a list of strings, got a string.`,
      `The MCP server "unset" is left out. ${at.userFile}: mcpServers.unset.command cannot be used: the environment variable NOT_SET_1 is not set; set it, or write \${NOT_SET_1:-text}.`,
    ])
    expect(told.sort()).toEqual([
      expect.stringMatching(
        /^The MCP server "broken" could not be started: it ended with exit code 3\. It said last:\nno licence$/,
      ) as string,
      expect.stringMatching(/^The MCP server "missing" could not be started: .*ENOENT.*Is the program installed\?$/) as string,
    ])
  })

  it('get what is named for them, and no key of a provider', async () => {
    const at = await mcpWorld({ env: { WORD: 'hello', ANTHROPIC_API_KEY: 'secret' } })
    await write(at.userFile, config({ a: { ...odd(), env: { GREETING: '${WORD} ${NONE:-there}' } } }))
    const { agent } = await loaded(at)
    await agent.ready()
    const { content } = await agent.callTool('mcp__a__env', {})
    const env = JSON.parse((content[0] as { text: string }).text) as Record<string, string>
    expect([env['GREETING'], env['ANTHROPIC_API_KEY'], env['WORD']]).toEqual(['hello there', undefined, undefined])
  })

  it('that are off are used when the command line names them', async () => {
    const at = await mcpWorld()
    const starts = join(at.workspace, 'starts')
    await write(at.userFile, config({ mine: odd({ starts }) }))
    await write(at.projectFile, config({ theirs: odd({ starts }) }))
    const given = [JSON.stringify(config({ given: odd() }))]
    const { agent, warnings, asked } = await loaded(at, 'always', { given, isGivenAlone: true })
    await agent.ready()
    expect(agent.tools.names).toEqual(['mcp__given__echo', 'mcp__given__env', 'mcp__given__log'])
    expect([warnings, asked, await linesOf(starts)]).toEqual([[], [], []])
    const named = await loaded(at, 'no', { given, off: ['given', 'mine'] })
    await named.agent.ready()
    expect(named.agent.tools.names).toEqual(['mcp__given__echo', 'mcp__given__env', 'mcp__given__log'])
  })

  it('that are off are not used', async () => {
    const at = await mcpWorld()
    await write(at.userFile, config({ a: odd(), b: odd() }))
    const { agent } = await loaded(at, undefined, { off: ['a'] })
    await agent.ready()
    expect(agent.tools.names.map((name) => name.slice(0, 6))).toEqual(['mcp__b', 'mcp__b', 'mcp__b'])
  })

  it('do not keep a conversation from its first screen, and are there for its first task', async () => {
    const at = await mcpWorld()
    const starts = join(at.workspace, 'starts')
    await write(at.userFile, config({ good: odd({ starts }), silent: oddProgram({ silentStart: true }) }))
    const { agent } = await loaded(at, undefined, { startsLater: true })
    await agent.ready()
    expect(agent.tools.names).toEqual([])
    await write(at.userFile, config({ good: odd({ starts }) }))
    const second = await loaded(at, undefined, { startsLater: true })
    await second.agent.ready()
    await second.agent.invoke('Hello?')
    expect(second.agent.tools.names).toEqual(['mcp__good__echo', 'mcp__good__env', 'mcp__good__log'])
  })

  const unusable: readonly [what: string, content: string, said: RegExp][] = [
    ['no JSON', '{', /\.mcp\.json is no JSON: .* Its MCP servers are left out\.$/],
    [
      'no servers',
      '{"servers":{}}',
      /mcpServers must be an object that maps names to servers, got nothing\. It has "servers": rename that\. Its/,
    ],
  ]
  it.each(unusable)('of a file with %s are left out', async (_, content, said) => {
    const at = await mcpWorld()
    await write(at.projectFile, content)
    const { warnings, asked } = await loaded(at, 'always')
    expect([warnings.length, asked]).toEqual([1, []])
    expect(warnings[0]).toMatch(said)
    await expect(loaded(at, 'always', { given: [at.projectFile] })).rejects.toMatchObject({ code: 'usage' })
  })

  it('of a file that is not there are no servers, and wrong usage when it was given', async () => {
    const at = await mcpWorld()
    expect((await loaded(at)).warnings).toEqual([])
    await expect(loaded(at, undefined, { given: ['nope.json'] })).rejects.toThrow(
      `--mcp-config must be a file that names MCP servers, but ${JSON.stringify(join(at.workspace, 'nope.json'))} does not exist.`,
    )
  })
})
