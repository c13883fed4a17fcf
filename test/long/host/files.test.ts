import { lstat, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { undoLast } from 'lena-agent/toolkit'
import { canMakeBoxes } from '../../toolkit/host/support/box.ts'
import { inBox } from '../../toolkit/host/support/in-box.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.runIf(canMakeBoxes())('file tools on another machine', () => {
  const box = inBox()

  test('read, write and edit what is there', async () => {
    const { call, outside, workspace, tools } = await box.kit({ 'a.txt': 'one\r\ntwo\n', 'run.sh': 'echo\n', link: { link: 'a.txt' } })
    expect(await call('read_file', { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n[The line ends are mixed: 1 CRLF, 1 LF.]')
    expect(await call('edit_file', { path: 'link', old: 'two', new: 'zwei' })).toMatch(/^Edited/)
    expect(await call('write_file', { path: 'new/deep/b.txt', content: 'ä漢😀' })).toMatch(/^(Created|Wrote)/)
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('one\r\nzwei\n')
    expect(await readlink(join(outside, 'link'))).toBe('a.txt')
    expect(await readFile(join(outside, 'new/deep/b.txt'), 'utf8')).toBe('ä漢😀')
    expect((await tools.undo.changes()).map(({ path }) => path)).toEqual([`${workspace}/a.txt`, `${workspace}/new/deep/b.txt`])
  })

  test('a mode stays, and so does a file that was changed by somebody else', async () => {
    const { call, outside } = await box.kit({ 'run.sh': 'echo\n' })
    await call('shell', { command: 'chmod 750 run.sh' })
    await call('read_file', { path: 'run.sh' })
    await call('edit_file', { path: 'run.sh', old: 'echo', new: 'echo x' })
    expect((await lstat(join(outside, 'run.sh'))).mode & 0o777).toBe(0o750)
    await call('shell', { command: 'echo other >>run.sh' })
    expect(await call('edit_file', { path: 'run.sh', old: 'echo x', new: 'echo y' })).toMatch(/changed since/)
    expect(await readFile(join(outside, 'run.sh'), 'utf8')).toBe('echo x\nother\n')
  })

  test('say what is wrong as they do here', async () => {
    const { call } = await box.kit({ 'readme.md': '', 'folder/x': '' })
    expect(await call('read_file', { path: 'raedme.md' })).toBe(
      'Error: "raedme.md" does not exist. Did you mean "readme.md"? See what is there with list_dir.',
    )
    expect(await call('read_file', { path: 'folder' })).toBe('Error: "folder" is a folder, not a file. Use list_dir to see what is in it.')
    expect(await call('read_file', { path: 'readme.md/x' })).toBe('Error: A part of "readme.md/x" is a file, not a folder.')
    await call('shell', { command: 'mkfifo fifo; ln -s loop loop' })
    expect(await call('read_file', { path: 'fifo' })).toBe('Error: "fifo" is a named pipe (FIFO), not a regular file, and was not opened.')
    expect(await call('read_file', { path: 'loop' })).toBe('Error: "loop" is a link that leads in a circle.')
    expect(await call('write_file', { path: 'readme.md/x', content: '' })).toMatch(/is a file, not a folder/)
  })

  test('list, find and search what is there, and respect its lists of ignored files', async () => {
    const { call } = await box.kit({
      'src/a.ts': 'const needle = 1\n',
      'src/b.ts': 'const other = 2\n',
      'out/a.js': 'needle',
      '.gitignore': 'out/\n',
      'odd name\n$(id).ts': 'needle\n',
    })
    expect(await call('list_dir', {})).toMatch(/src\//)
    expect(await call('glob', { pattern: 'src/*.ts' })).toBe('src/a.ts\nsrc/b.ts')
    expect(await call('grep', { pattern: 'need.e', path: 'src' })).toBe('src/a.ts\n1:const needle = 1')
    const all = await call('grep', { pattern: 'needle' })
    expect(all).toContain('src/a.ts')
    expect(all).toContain('$(id).ts')
    expect(all).not.toContain('out/a.js')
  })

  test('what they change is taken back there', async () => {
    const { call, outside, tools } = await box.kit({ 'a.txt': 'old\n' })
    await call('read_file', { path: 'a.txt' })
    await call('write_file', { path: 'a.txt', content: 'new\n' })
    await call('write_file', { path: 'b.txt', content: 'b' })
    const host = box.host()
    expect([await undoLast(tools.undo, { host }), await undoLast(tools.undo, { host }), await undoLast(tools.undo, { host })]).toEqual([
      { path: expect.stringMatching(/^\/box\/.*b\.txt$/), did: 'removed' },
      { path: expect.stringMatching(/^\/box\/.*a\.txt$/), did: 'restored' },
      undefined,
    ])
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('old\n')
    await expect(lstat(join(outside, 'b.txt'))).rejects.toThrow()
  })

  test('a large file comes in parts, and an image as an image', async () => {
    const { agent, call, outside } = await box.kit({ 'large.txt': 'line\n'.repeat(600_000) })
    expect(await call('read_file', { path: 'large.txt', offset: 599_999, limit: 5 })).toMatch(/^599999\tline\n600000\tline/)
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await writeFile(join(outside, 'a.png'), Buffer.from(png, 'base64'))
    const { content } = await agent.callTool('read_file', { path: 'a.png' })
    expect(content).toEqual([
      { type: 'text', text: 'a.png: image/png, 1 x 1 pixels, 70 bytes' },
      { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: png } },
    ])
  })
})
