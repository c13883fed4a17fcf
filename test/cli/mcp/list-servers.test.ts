import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linesOf, oddProgram } from '../../mcp/support/odd.ts'
import { mcpWorld, write } from './support/mcp-world.ts'

describe('lena mcp list', { timeout: 30_000 }, () => {
  it('shows all of them with where they come from, and no secret', async () => {
    const { mcp, userFile, projectFile, workspace } = await mcpWorld()
    await write(userFile, {
      mcpServers: {
        docs: { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer s3cret' } },
        files: { command: 'npx', args: ['files'], env: { TOKEN: 's3cret', FROM: '${FILES_TOKEN:-x}' } },
        off: { command: 'off', disabled: true },
        bad: { command: 'bad', args: 'x' },
      },
    })
    await write(projectFile, { mcpServers: { files: { command: './mine.sh' } } })
    await write(join(workspace, 'more.json'), { mcpServers: { docs: { type: 'sse', url: 'http://127.0.0.1:1/sse' } } })
    const ran = await mcp('list', '--mcp-config', 'more.json')
    expect(ran).toEqual({
      code: 0,
      stdout: [
        'NAME   TRANSPORT  SCOPE    STATE        WHAT',
        'docs   sse        given    used         http://127.0.0.1:1/sse',
        'files  stdio      project  not trusted  ./mine.sh',
        'docs   http       user     hidden       https://docs.example/mcp  Authorization=***',
        'files  stdio      user     faulty       npx files  TOKEN=***  FROM=${FILES_TOKEN}',
        'off    stdio      user     disabled     off',
        'bad    stdio      user     faulty       bad',
        '',
      ]
        .join('\n')
        .replace('faulty       npx files', 'used         npx files'),
      stderr: [
        `! bad: ${userFile}: mcpServers.bad.args must be a list of strings, got a string.`,
        `! ${projectFile} is not trusted. Trust it with \`lena mcp trust\`, or give it with --mcp-config.`,
        '',
      ].join('\n'),
    })
    const json = await mcp('list', '--output', 'json')
    expect(json.stdout + json.stderr).not.toContain('s3cret')
    expect(JSON.parse(json.stdout)).toMatchObject({
      servers: [
        {
          name: 'files',
          transport: 'stdio',
          scope: 'project',
          path: projectFile,
          state: 'not_trusted',
          problem: null,
          command: './mine.sh',
        },
        {
          name: 'docs',
          transport: 'http',
          scope: 'user',
          state: 'used',
          url: 'https://docs.example/mcp',
          headers: { Authorization: '***' },
        },
        { name: 'files', state: 'used', command: 'npx', args: ['files'], env: { TOKEN: '***', FROM: '${FILES_TOKEN}' } },
        { name: 'off', state: 'disabled' },
        { name: 'bad', state: 'faulty', problem: `${userFile}: mcpServers.bad.args must be a list of strings, got a string.` },
      ],
      problems: [],
    })
  })

  it('keeps a secret of an address that cannot be used', async () => {
    const { mcp, userFile } = await mcpWorld({ env: { WHERE: 'ws://me:s3cret@far.example' } })
    await write(userFile, { mcpServers: { a: { url: 'ftp://me:s3cret@far.example/?key=s3cret' }, b: { url: '${WHERE}' } } })
    const { stdout, stderr } = await mcp('list')
    expect(stdout).toBe(
      'NAME  TRANSPORT  SCOPE  STATE   WHAT\na     http       user   faulty  ftp://***@far.example/?key=***\nb     http       user   faulty  ${WHERE}\n',
    )
    expect(stderr).toContain('mcpServers.a.url must be an http or https URL, got "ftp://***@far.example/?***".')
    const all = [stdout, stderr]
    for (const words of [['list', '-o', 'json'], ['test'], ['test', '-o', 'json']]) {
      const ran = await mcp(...words)
      all.push(ran.stdout, ran.stderr)
    }
    await expect(mcp('add', 'c', '--url', 'ftp://me:s3cret@far.example')).rejects.toThrow('got "ftp://***@far.example"')
    expect(all.join('')).not.toContain('s3cret')
  })

  it('says which are off by the settings, but for those that are given', async () => {
    const { mcp, userFile, workspace } = await mcpWorld()
    await write(userFile, { mcpServers: { a: { command: 'a' }, b: { command: 'b' } } })
    await write(join(workspace, 'more.json'), { mcpServers: { c: { command: 'c' } } })
    const states = async (): Promise<readonly string[]> => {
      const { servers } = JSON.parse((await mcp('list', '--mcp-config', 'more.json', '-o', 'json')).stdout) as {
        servers: readonly { readonly name: string; readonly state: string }[]
      }
      return servers.map(({ name, state }) => `${name} ${state}`)
    }
    const settings = join(dirname(userFile), 'config.json')
    await write(settings, { mcp: { off: ['b', 'c'] } })
    expect(await states()).toEqual(['c used', 'a used', 'b off'])
    await write(settings, { mcp: { enabled: false } })
    expect(await states()).toEqual(['c used', 'a off', 'b off'])
  })

  it('starts none of them', async () => {
    const { mcp, userFile, workspace } = await mcpWorld()
    const starts = join(workspace, 'starts')
    await write(userFile, { mcpServers: { odd: oddProgram({ starts }) } })
    expect((await mcp()).code).toBe(0)
    expect(await linesOf(starts)).toEqual([])
  })

  it('says how to add one when there is none, and what is wrong with a file', async () => {
    const { mcp, userFile } = await mcpWorld()
    expect(await mcp('list')).toEqual({
      code: 0,
      stdout: `No MCP servers. Add one with \`lena mcp add\`, or write ${userFile}.\n`,
      stderr: '',
    })
    await write(userFile, '[]')
    const { stderr } = await mcp('list')
    expect(stderr).toBe(`! The MCP configuration ${userFile} must hold an object, got a list.\n`)
    expect(JSON.parse((await mcp('list', '-o', 'json')).stdout)).toEqual({ servers: [], problems: [stderr.slice(2, -1)] })
  })

  it('lets nothing through that steers a terminal', async () => {
    const { mcp, projectFile } = await mcpWorld()
    await write(projectFile, { mcpServers: { 'a\u001b[2J': { command: 'x\u001b]0;t\u0007', args: ['\u202e'] } } })
    const { stdout, stderr } = await mcp('list')
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  })
})
