import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import type { McpClientSettings } from 'lena-agent/mcp'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { oddClient } from './support/odd.ts'

const schema = { type: 'object', properties: {} }
const named = (name: string, rest: object = {}): object => ({ name, description: `Does ${name}.`, inputSchema: schema, ...rest })

async function load(
  tools: readonly unknown[],
  settings: McpClientSettings = {},
): Promise<{ names: readonly string[]; warnings: readonly string[] }> {
  const warnings: string[] = []
  const warn = (code: string, message: string): void => void warnings.push(`${code}: ${message}`)
  const loaded = await oddClient({ tools }, settings).loadTools({ signal: new AbortController().signal, warn })
  return { names: loaded.map(({ name }) => name), warnings }
}

const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: deep(levels - 1) } })

describe('the tools of a server', () => {
  it('are filtered by name and pattern', async () => {
    const tools = ['read', 'read_all', 'write', 'wipe'].map((name) => named(name))
    expect((await load(tools, { allow: [/^read/g, 'write'] })).names).toEqual(['read', 'read_all', 'write'])
    expect((await load(tools, { deny: [/^w/] })).names).toEqual(['read', 'read_all'])
    expect((await load(tools, { allow: [/^w/], deny: ['wipe'] })).names).toEqual(['write'])
  })

  it('have legal names, with a prefix', async () => {
    expect((await load([named('files.read'), named('ok')], { prefix: 'x_' })).names).toEqual(['x_files_read', 'x_ok'])
  })

  it('are used without the bad ones among them', async () => {
    const tools = [
      named('good'),
      { name: 7 },
      named('deep', { inputSchema: deep(200) }),
      named('good'),
      { description: 'no name' },
      named('fine'),
    ]
    const { names, warnings } = await load(tools)
    expect(names).toEqual(['good', 'fine'])
    expect(warnings.map((warning) => warning.slice(0, 80))).toEqual(
      [
        'mcp_tool_skipped: A tool of the MCP server "odd" is left out: it is not described as the',
        'mcp_tool_skipped: A tool of the MCP server "odd" is left out: it is not described as the',
        expect.stringMatching(/^mcp_tool_skipped: A tool is left out. The tool "deep" of the MCP server "odd"/) as string,
        'mcp_tool_skipped: The MCP server "odd" has two tools named "good"; the second is left o',
      ].map((text) => (typeof text === 'string' ? text.slice(0, 80) : text)),
    )
  })

  it('may come without a schema, or with one that does not say that it is an object', async () => {
    expect((await load([{ name: 'bare' }, { name: 'loose', inputSchema: { properties: { a: {} } } }])).names).toEqual(['bare', 'loose'])
  })

  it('have the flags that the server promises, and the careful ones where it says nothing', async () => {
    const tools = await oddClient({
      tools: [
        named('unknown'),
        named('reads', { annotations: { readOnlyHint: true, destructiveHint: true } }),
        named('adds', { annotations: { readOnlyHint: false, destructiveHint: false } }),
      ],
    }).listTools()
    expect(
      tools.map(({ name, isReadOnly, isDestructive, isConcurrencySafe }) => [name, isReadOnly, isDestructive, isConcurrencySafe]),
    ).toEqual([
      ['unknown', false, true, false],
      ['reads', true, false, true],
      ['adds', false, false, false],
    ])
  })

  it('have the flags that the client was told, where it was told of them', async () => {
    const tools = await oddClient(
      {
        tools: [
          named('unknown'),
          named('reads', { annotations: { readOnlyHint: true } }),
          named('wipes', { annotations: { destructiveHint: false, title: 'Wipes' } }),
        ],
      },
      { annotations: { '*': { destructiveHint: false }, reads: { readOnlyHint: false }, wipes: { destructiveHint: true } } },
    ).listTools()
    expect(tools.map(({ name, isReadOnly, isDestructive }) => [name, isReadOnly, isDestructive])).toEqual([
      ['unknown', false, false],
      ['reads', false, true],
      ['wipes', false, true],
    ])
  })

  it('that say nothing of themselves are asked for each time; one line about their server, and a rule allows them', async () => {
    const asked = async (settings: McpClientSettings): Promise<readonly string[]> => {
      const questions: string[] = []
      const client = oddClient({ tools: [named('echo')] }, { prefix: 'mcp__odd__', ...settings })
      const call = { calls: [{ name: 'mcp__odd__echo', input: {} }] }
      const ask = ({ tool, reason }: { tool: { name: string }; reason: string }): boolean => {
        questions.push(`${tool.name}: ${reason}`)
        return true
      }
      const agent = new Agent({
        model: scriptedModel(call, call, { text: 'Done.' }),
        tools: [client],
        plugins: [permissions({ rules: ['allow mcp__odd__*'], ask })],
      })
      onTestFinished(() => agent.close())
      await agent.invoke('go')
      return questions
    }
    const question = 'mcp__odd__echo: What it does may not be undone.'
    expect(await asked({})).toEqual([question, question])
    expect(await asked({ annotations: { '*': { destructiveHint: false } } })).toEqual([])
  })

  it('come page by page', async () => {
    const tools = await oddClient({ many: 250, pages: true }).listTools()
    expect([tools.length, tools.at(-1)!.name]).toEqual([250, 'tool_249'])
  })
})
