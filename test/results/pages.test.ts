import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileResults } from 'lena-agent/toolkit'
import { memoryResults } from '../../src/results/memory-results.ts'
import { fc } from '../support/fast-check.ts'
import { named, newFolder, signal } from './support/folder.ts'

it('a file has the same pages as a text in memory', async () => {
  const files = fileResults({ dir: join(await newFolder(), 'r') })
  const memory = memoryResults()
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('a', '\n', 'ä', '漢', '😀'), maxLength: 60 }),
    fc.string({ maxLength: 60 }),
  )
  const pages = fc.array(fc.tuple(fc.nat(70), fc.integer({ min: 1, max: 70 })), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(texts, pages, async (text, asked) => {
      const [file, held] = [await files.put(named(text), { signal }), await memory.put(named(text), { signal })]
      for (const [offset, limit] of asked)
        expect(await files.read(file.path, { offset, limit, signal })).toEqual(await memory.read(held.path, { offset, limit, signal }))
    }),
  )
  await files.remove('conv_1')
})

it('a page far into a large file is the one that was asked for, across the pieces in which it is read', async () => {
  const files = fileResults({ dir: join(await newFolder(), 'r') })
  const text = 'zwölf Boxkämpfer jagen 😀 '.repeat(40_000)
  const { path } = await files.put(named(text), { signal })
  for (const offset of [262_000, 262_144, 700_001]) {
    const page = await files.read(path, { offset, limit: 10_000, signal })
    const whole = text.slice(page.offset, page.offset + page.text.length)
    expect(page).toEqual({ text: whole, offset: page.offset, chars: text.length })
    expect(Math.abs(page.offset - offset) + Math.abs(page.text.length - 10_000)).toBeLessThanOrEqual(2)
  }
})
