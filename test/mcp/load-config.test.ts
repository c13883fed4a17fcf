import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadMcpConfig } from 'lena-agent/mcp'
import type { McpConfigOptions } from 'lena-agent/mcp'
import { oddProgram, tempFolder } from './support/odd.ts'

async function load(
  content: unknown,
  options: McpConfigOptions = {},
): Promise<{ names: readonly string[]; warnings: readonly string[]; file: string }> {
  const file = join(await tempFolder(), 'mcp.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  const warnings: string[] = []
  const clients = await loadMcpConfig(file, { warn: (message) => warnings.push(message.replace(file, 'FILE')), ...options })
  return { names: clients.map(({ name }) => name), warnings, file }
}

describe('mcp.json', () => {
  it('names servers of every kind, and leaves the disabled ones out', async () => {
    const { names, warnings } = await load({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server'], env: { A: 'b' }, cwd: '/tmp', type: 'stdio' },
        docs: { url: 'https://example.com/mcp', headers: { 'X-Key': 'k' }, type: 'streamable-http', timeout: 5000 },
        old: { url: 'https://example.com/sse', type: 'sse', includeTools: ['a'], excludeTools: ['b'], description: 'Old.' },
        off: { command: 'off', disabled: true },
      },
    })
    expect([names, warnings]).toEqual([['files', 'docs', 'old'], []])
  })

  it('takes variables from the environment, and what stands in for them', async () => {
    const file = join(await tempFolder(), 'mcp.json')
    const { command, args = [] } = oddProgram()
    const server = { command: '${NODE}', args: [...args], env: { SAID: '${WORD} and ${NONE:-nothing}, $$5', EMPTY: '${NONE:-}' } }
    await writeFile(file, JSON.stringify({ mcpServers: { odd: server } }))
    const [client] = await loadMcpConfig(file, { env: { NODE: command, WORD: 'hello' } })
    await using odd = client!
    const { content } = await odd.callTool('env')
    const env = JSON.parse((content[0] as { text: string }).text) as Record<string, string>
    expect([env['SAID'], env['EMPTY']]).toEqual(['hello and nothing, $5', ''])
  })

  it('warns of keys that are not known', async () => {
    const { warnings } = await load({ inputs: [], mcpServers: { a: { comand: 'x', command: 'y', trust: true } } })
    expect(warnings).toEqual([
      'FILE: the key "inputs" is not known, and not used.',
      'FILE: mcpServers.a.comand is not known, and not used. Did you mean "command"?',
      'FILE: mcpServers.a.trust is not known, and not used.',
    ])
  })

  const faults: readonly [what: string, content: unknown, said: string][] = [
    ['no JSON', '{ "mcpServers": ', 'is no JSON'],
    ['a list', [], 'must hold an object, got a list.'],
    ['no servers', {}, 'mcpServers must be an object that maps names to servers, got nothing.'],
    ['the name of another format', { servers: {} }, 'It has "servers": rename that.'],
    ['a server that is none', { mcpServers: { a: 'x' } }, 'mcpServers.a must be an object, got a string.'],
    ['nothing to use', { mcpServers: { a: {} } }, 'mcpServers.a needs "command", a program to start, or "url", where a server is.'],
    ['both', { mcpServers: { a: { command: 'x', url: 'http://x' } } }, 'mcpServers.a has both "command" and "url": leave one out.'],
    [
      'arguments that are no texts',
      { mcpServers: { a: { command: 'x', args: ['y', 1] } } },
      'mcpServers.a.args[1] must be a string, got a number.',
    ],
    [
      'hints that are none',
      { mcpServers: { a: { command: 'x', annotations: { '*': { destructive: false } } } } },
      'mcpServers.a.annotations.*.destructive is no hint. There are readOnlyHint, destructiveHint, idempotentHint.',
    ],
    [
      'a hint that is neither true nor false',
      { mcpServers: { a: { command: 'x', annotations: { b: { readOnlyHint: 'yes' } } } } },
      'mcpServers.a.annotations.b.readOnlyHint must be true or false, got a string.',
    ],
    [
      'hints of nothing',
      { mcpServers: { a: { command: 'x', annotations: [] } } },
      'mcpServers.a.annotations must be an object such as { "destructiveHint": false }, got a list.',
    ],
    ['a bad address', { mcpServers: { a: { url: 'ftp://x' } } }, 'mcpServers.a.url must be an http or https URL, got "ftp://x".'],
    ['a bad type', { mcpServers: { a: { url: 'http://x', type: 'ws' } } }, 'mcpServers.a.type must be one of stdio, http,'],
    ['a type that every object knows', { mcpServers: { a: { url: 'http://x', type: 'constructor' } } }, 'mcpServers.a.type must be one of'],
    ['a program without a name', { mcpServers: { a: { command: ' ' } } }, 'mcpServers.a.command must be the name of a program, got " ".'],
    [
      'a type that does not fit',
      { mcpServers: { a: { url: 'http://x', type: 'stdio' } } },
      'mcpServers.a.type is "stdio", which needs "command".',
    ],
    [
      'a bad time',
      { mcpServers: { a: { command: 'x', timeout: -1 } } },
      'mcpServers.a.timeout must be a positive number of milliseconds, got -1.',
    ],
    [
      'a variable that is not set',
      { mcpServers: { a: { command: '${NOPE_1}' } } },
      'mcpServers.a.command cannot be used: the environment variable NOPE_1 is not set; set it, or write ${NOPE_1:-text}.',
    ],
    ['what is no variable', { mcpServers: { a: { command: '${a b}' } } }, 'mcpServers.a.command cannot be used: ${a b} names no variable'],
  ]
  it.each(faults)('says what is wrong with %s', async (_, content, said) => {
    await expect(load(content, { env: {} })).rejects.toThrow(said)
    await expect(load(content, { env: {} })).rejects.toMatchObject({ name: 'McpError', code: 'mcp_config' })
  })

  it('says which file cannot be read', async () => {
    await expect(loadMcpConfig('/nowhere/mcp.json')).rejects.toThrow('The MCP configuration /nowhere/mcp.json cannot be read')
  })
})
