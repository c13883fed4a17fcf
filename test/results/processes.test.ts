import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { programOf } from '../support/program.ts'
import { newFolder } from './support/folder.ts'

const run = promisify(execFile)

it('two processes may write to one folder, and remove from it, at once', { timeout: 120_000 }, async () => {
  const dir = join(await newFolder(), 'r')
  const writer = await programOf(new URL('./support/writer.ts', import.meta.url))
  const writers = ['one', 'two'].map((name) => run(process.execPath, [writer, dir, name, '40'], { maxBuffer: 1e7, timeout: 100_000 }))
  const paths = (await Promise.all(writers)).map(({ stdout }) => JSON.parse(stdout) as readonly string[])
  expect(new Set(paths.flat()).size).toBe(80)
  for (const [index, name] of ['one', 'two'].entries())
    for (const [at, path] of paths[index]!.entries()) expect(await readFile(path, 'utf8')).toBe(`${name} ${at} `.repeat(2000))
})
