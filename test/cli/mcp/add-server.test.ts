import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonIn, mcpWorld, write } from './support/mcp-world.ts'

describe('lena mcp add', { timeout: 30_000 }, () => {
  it('writes a program into the file of the user, which is private', async () => {
    const { mcp, userFile } = await mcpWorld()
    expect(await mcp('add', 'files', '--env', 'A=b=c', '-e', 'D=', '--', 'npx', '-y', 'server', '--output', 'x', '--', 'y')).toEqual({
      code: 0,
      stdout: `Added files to ${userFile}. Try it with \`lena mcp test files\`.\n`,
      stderr: '',
    })
    expect(await readFile(userFile, 'utf8')).toBe(
      `${JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['-y', 'server', '--output', 'x', '--', 'y'], env: { A: 'b=c', D: '' } } } }, undefined, 2)}\n`,
    )
    expect([(await stat(userFile)).mode & 0o777, (await stat(dirname(userFile))).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('writes an address, whose variables need not be set yet', async () => {
    const { mcp, userFile } = await mcpWorld()
    const ran = await mcp(
      'add',
      'docs',
      '--url',
      'https://docs.example/mcp',
      '--header',
      'Authorization: Bearer ${DOCS}',
      '-H',
      'X-A:b',
      '-o',
      'json',
    )
    expect(JSON.parse(ran.stdout)).toEqual({
      name: 'docs',
      scope: 'user',
      path: userFile,
      url: 'https://docs.example/mcp',
      headers: { Authorization: '***${DOCS}', 'X-A': '***' },
    })
    await mcp('add', 'old', '--transport', 'sse', '--url', 'http://127.0.0.1/sse')
    expect(await jsonIn(userFile)).toEqual({
      mcpServers: {
        docs: { type: 'http', url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${DOCS}', 'X-A': 'b' } },
        old: { type: 'sse', url: 'http://127.0.0.1/sse' },
      },
    })
  })

  it('leaves the rest of the file as it is', async () => {
    const { mcp, userFile } = await mcpWorld()
    const text = (servers: string): string =>
      `\uFEFF{\n\t"$schema": "x",\n\t"mcpServers": {\n\t\t"b": {\n\t\t\t"command": "b",\n\t\t\t"mine": true\n\t\t}${servers}\n\t},\n\t"other": null\n}`.replaceAll(
        '\n',
        '\r\n',
      )
    await write(userFile, text(''))
    await mcp('add', 'a', '--', 'a')
    expect(await readFile(userFile, 'utf8')).toBe(text(',\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}'))
    await mcp('remove', 'a')
    expect(await readFile(userFile, 'utf8')).toBe(text(''))
  })

  it('replaces one of the same name only when told to, and shows no secret of it', async () => {
    const { mcp, userFile } = await mcpWorld()
    await mcp('add', 'a', '--env', 'K=s3cret', '--', 'first')
    await expect(mcp('add', 'a', '--', 'second')).rejects.toThrow(
      `${userFile} has a server "a" already: first  K=***. Give it another name, or --force to replace it.`,
    )
    expect(await jsonIn(userFile)).toEqual({ mcpServers: { a: { command: 'first', env: { K: 's3cret' } } } })
    await mcp('add', 'a', '--force', '--', 'second')
    expect(await jsonIn(userFile)).toEqual({ mcpServers: { a: { command: 'second' } } })
  })

  it('does not touch a file that it does not understand', async () => {
    const { mcp, userFile } = await mcpWorld()
    for (const content of ['{ "mcpServers": ', '[]', '{"mcpServers":[]}']) {
      await write(userFile, content)
      await expect(mcp('add', 'a', '--', 'a')).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('it was not changed.') as string,
      })
      expect(await readFile(userFile, 'utf8')).toBe(content)
    }
  })

  it('changes the file that a link leads to, and lets the link be one', async () => {
    const { mcp, userFile, workspace } = await mcpWorld()
    const target = join(workspace, 'dotfiles.json')
    await writeFile(target, '{}')
    await mkdir(dirname(userFile), { recursive: true })
    await symlink(target, userFile)
    await mcp('add', 'a', '--', 'a')
    expect(await jsonIn(target)).toEqual({ mcpServers: { a: { command: 'a' } } })
  })

  it('with --scope project writes the file of the project, and trusts what the user wrote', async () => {
    const { mcp, projectFile } = await mcpWorld()
    const ran = await mcp('add', 'a', '--scope', 'project', '--env', 'K=v', '--', 'a')
    expect(ran.stderr).toContain('! Values of --env and --header stand in the file of the project, as they are.')
    expect((await mcp('list')).stdout).toContain('a     stdio      project  used')
    await chmod(projectFile, 0o640)
    await mcp('add', 'b', '--scope', 'project', '--', 'b')
    expect((await mcp('list')).stdout).toContain('b     stdio      project  used')
    expect((await stat(projectFile)).mode & 0o777).toBe(0o640)
    await mcp('remove', 'a', '--scope', 'project')
    expect((await mcp('list')).stdout).toContain('b     stdio      project  used')
  })

  it('with --scope project writes the file that counts there, so that none hides another', async () => {
    const { mcp, projectFile, workspace } = await mcpWorld()
    await mkdir(join(workspace, '.git'))
    await mkdir(join(workspace, 'packages', 'a'), { recursive: true })
    await write(projectFile, { mcpServers: { a: { command: 'a' } } })
    await mcp('add', 'b', '--scope', 'project', '--cwd', join(workspace, 'packages', 'a'), '--', 'b')
    expect(await jsonIn(projectFile)).toEqual({ mcpServers: { a: { command: 'a' }, b: { command: 'b' } } })
  })

  it('does not trust what was in the file of the project before', async () => {
    const { mcp, projectFile } = await mcpWorld()
    await write(projectFile, { mcpServers: { theirs: { command: './theirs.sh' } } })
    const { stderr } = await mcp('add', 'mine', '--scope', 'project', '--', 'mine')
    expect(stderr).toContain(`! ${projectFile} is not trusted: what was in it before came from somebody else.`)
    expect((await mcp('list')).stdout).toMatch(/theirs +stdio +project +not trusted.*\n.*mine +stdio +project +not trusted/)
    expect((await mcp('remove', 'theirs')).stderr).toBe(`! ${projectFile} is not trusted, as before.\n`)
  })

  it('shows its help when asked, unless that is for the server', async () => {
    const { mcp, userFile } = await mcpWorld()
    for (const words of [
      ['add', '--help'],
      ['add', 'a', '-h', '--', 'x'],
    ])
      expect((await mcp(...words)).stdout).toContain('lena mcp add NAME --url URL [--header "K: V"]\n')
    await mcp('add', 'a', '--', 'x', '--help')
    expect(await jsonIn(userFile)).toEqual({ mcpServers: { a: { command: 'x', args: ['--help'] } } })
  })

  const refused: readonly [words: readonly string[], said: string][] = [
    [['add'], '`lena mcp add` needs the name of a server.'],
    [['add', 'a'], '`lena mcp add` needs what to use: lena mcp add a -- COMMAND ARGUMENTS…, or lena mcp add a --url URL.'],
    [['add', 'a', 'npx', 'x'], '`lena mcp add` takes no "npx x".'],
    [['add', 'a b', '--', 'x'], 'The name of a server must be letters, digits,'],
    [['add', '__proto__', '--', 'x'], 'The name of a server must be letters, digits,'],
    [['add', 'a', '--url', 'ftp://x'], 'mcpServers.a.url must be an http or https URL, got "ftp://x".'],
    [['add', 'a', '--url', 'http://x', '--', 'x'], 'A server is a program, behind "--", or an address, with --url. Give one of them.'],
    [['add', 'a', '--url', 'http://x', '--env', 'A=b'], '--env is for programs.'],
    [['add', 'a', '--header', 'A: b', '--', 'x'], '--header and --transport are for addresses.'],
    [['add', 'a', '--env', 's3cret', '--', 'x'], '--env must be NAME=value.'],
    [['add', 'a', '--header', 's3cret', '--url', 'http://x'], '--header must be "Name: value".'],
    [['add', 'a', '--scope', 'users', '--', 'x'], '--scope must be user or project, got "users". Did you mean user?'],
    [['add', 'a', '-y', '--', 'x'], `Unknown option '-y'. What belongs to the server's own command stands behind "--".`],
    [['list', '--force'], '`lena mcp list` has no option --force. Write: lena mcp list.'],
    [['list', '--', 'x'], '`lena mcp list` takes nothing behind "--".'],
    [['list', '--cwd', 'nowhere'], '--cwd must be a folder, but "'],
    [['list', 'x'], '`lena mcp list` takes no "x".'],
    [['lst'], '`lena mcp` has no "lst". Did you mean list? There are: list, add, remove, test, login, logout, trust, untrust.'],
    [['constructor'], '`lena mcp` has no "constructor".'],
    [['list', '-o', 'stream-json'], '--output must be text or json, got "stream-json".'],
    [['remove', 'a'], 'There is no MCP server "a". There are none.'],
    [['test', 'a'], 'There is no MCP server "a" to use. There are none. `lena mcp list` shows all.'],
    [['logout', 'a'], 'There is no MCP server "a" to use.'],
    [['login', 'a'], '`lena mcp login` needs a terminal, and a person who opens a page.'],
    [['trust'], 'There is no .mcp.json in '],
    [['list', '--mcp-config', 'nope.json'], '--mcp-config must be a file that names MCP servers, but "'],
  ]
  it.each(refused)('does not understand %j, and says what to do', async (words, said) => {
    const { mcp } = await mcpWorld()
    const error = (await mcp(...words).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ name: 'UsageError', code: 'usage' })
    expect(error.message).toContain(said)
    expect(error.message).not.toContain('s3cret')
  })
})
