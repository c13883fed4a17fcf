import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '../package/imports.ts'

/** What is of this machine by its nature: how commands are run here, where old content is kept, and texts of processes. */
const here = /^src\/toolkit\/(process|sandbox)\/|^src\/toolkit\/undo\/file-undo\.ts$|^src\/toolkit\/search\/run-ripgrep\.ts$/

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : []
  })

test('tools and permissions reach files and processes through the host alone', () => {
  const files = [...filesBelow('src/toolkit'), ...filesBelow('src/permissions')]
  const reaching = files.filter((path) =>
    importsOf(path, readFileSync(path, 'utf8')).some(({ from }) => /^node:(fs|child_process)/.test(from)),
  )
  expect(reaching.filter((path) => !here.test(path))).toEqual([])
  expect(reaching.length).toBeGreaterThan(5)
})
