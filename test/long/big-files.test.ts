import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toolkit, undoLast } from 'lena-agent/toolkit'
import { workspaceWith } from '../toolkit/support/workspace.ts'

const megabyte = 1024 * 1024

/** 200 MB of text, so many bytes a line. */
async function bigFile(path: string, line: number): Promise<void> {
  const file = await open(path, 'w')
  const piece = Buffer.alloc(megabyte, 'x')
  for (let at = line - 1; at < megabyte && line <= megabyte; at += line) piece[at] = 0x0a
  for (let i = 0; i < 200; i++) await file.write(piece)
  await file.write('\nneedle\n')
  await file.close()
}

async function session() {
  const workspace = await workspaceWith()
  const kit = toolkit({ workspace, ripgrep: false })
  const call = async (name: string, input: object): Promise<string> => {
    try {
      return (await kit.find((tool) => tool.name === name)!.run(input, { signal: new AbortController().signal } as never)) as string
    } catch (error) {
      return `refused: ${(error as Error).message}`
    }
  }
  return { workspace, kit, call, path: join(workspace, 'big.txt') }
}

describe('a file of 200 MB', () => {
  test('of many lines is paged, searched, and not edited', async () => {
    const { call, path } = await session()
    await bigFile(path, 64)
    const last = 200 * (megabyte / 64) + 2
    expect(await call('read_file', { path: 'big.txt', offset: last })).toBe(
      `${last}\tneedle\n[Lines ${last}-${last} of ${last}: the end of the file.]`,
    )
    expect(await call('grep', { pattern: 'needle' })).toBe(`big.txt\n${last}:needle`)
    expect(await call('edit_file', { path: 'big.txt', old: 'needle', new: 'x' })).toMatch(/^refused: "big\.txt" /)
    expect(await call('write_file', { path: 'big.txt', content: 'x' })).toMatch(/^refused: /)
    expect((await stat(path)).size).toBe(200 * megabyte + 8)
  })

  test('of one line is shown cut, and searched', async () => {
    const { call, path } = await session()
    await bigFile(path, 2 * megabyte)
    const shown = await call('read_file', { path: 'big.txt', limit: 1 })
    expect(shown).toMatch(/^1\tx{2000} \[… the line is cut here/)
    expect(shown.length).toBeLessThan(4000)
    expect(await call('grep', { pattern: 'needle' })).toBe('big.txt\n2:needle')
  })

  test('that was listed may be moved away, and a new one written and taken back', async () => {
    const { workspace, kit, call, path } = await session()
    await bigFile(path, 64)
    expect(await call('list_dir', {})).toBe('big.txt (200.0 MB)')
    await call('shell', { command: 'mv big.txt old.txt' })
    expect(await call('write_file', { path: 'big.txt', content: 'new\n' })).toMatch(/^Created big\.txt/)
    expect(await readFile(path, 'utf8')).toBe('new\n')
    await undoLast(kit.undo)
    await expect(stat(path)).rejects.toThrow()
    expect((await stat(join(workspace, 'old.txt'))).size).toBe(200 * megabyte + 8)
  })
})
