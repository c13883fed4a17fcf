import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProjectFile } from '../../../src/cli/trust/project-file.ts'
import { newFolder } from './support/folders.ts'

describe('a file of a folder', { timeout: 30_000 }, () => {
  it('is known by the real name of the folder and by its content', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'real'))
    await symlink(join(folder, 'real'), join(folder, 'link'))
    await writeFile(join(folder, 'real', '.mcp.json'), 'abc')
    const read = await readProjectFile(join(folder, 'link'), '.mcp.json')
    expect(read).toEqual({
      folder: join(folder, 'real'),
      file: '.mcp.json',
      path: join(folder, 'real', '.mcp.json'),
      text: 'abc',
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    })
    expect(await readProjectFile(join(folder, 'real'), '.mcp.json')).toEqual(read)
  })

  it('need not be there', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'plain'), '')
    expect([await readProjectFile(folder, '.mcp.json'), await readProjectFile(folder, 'plain/.mcp.json')]).toEqual([undefined, undefined])
  })

  it('is not waited for when it is a pipe, nor read when it is a folder or never ends', async () => {
    const folder = await newFolder()
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
    await symlink('/dev/zero', join(folder, 'zero'))
    await mkdir(join(folder, 'folder'))
    for (const file of ['pipe', 'zero', 'folder'])
      await expect(readProjectFile(folder, file)).rejects.toThrow(`${join(folder, file)} cannot be read: it is no file.`)
  })

  it('is not read when it is larger than a person can judge', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'most'), 'x'.repeat(1_000_000))
    expect((await readProjectFile(folder, 'most'))!.text).toHaveLength(1_000_000)
    await writeFile(join(folder, 'large'), 'x'.repeat(1_000_001))
    await expect(readProjectFile(folder, 'large')).rejects.toThrow('it is larger than 1,000,000 bytes.')
  })
})
