import { expect, test } from 'vitest'
import { session } from '../support/session.ts'
import { failureOf } from '../support/workspace.ts'

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `<${index}>`)

test('200 edits are made, 201 are refused', async () => {
  const lines = numbered(201)
  const { edit, text } = await session(`${lines.join('\n')}\n`)
  const edits = lines.map((old) => ({ old, new: 'x' }))
  expect(await failureOf(edit({ edits }))).toBe('"edits" must hold 1 to 200 edits, got 201. Nothing was changed.')
  await edit({ edits: edits.slice(0, 200) })
  expect(await text()).toBe('x\n'.repeat(200) + '<200>\n')
})

test('of many replacements the lines of the first 20 are named', async () => {
  const { edit } = await session('a\n'.repeat(20) + 'b\n'.repeat(21))
  const named = async (old: string): Promise<string> => (await edit({ old, new: 'c', all: true })).split('\n')[0]!
  expect(await named('a')).toBe(
    'Edited a.txt (20 replacements, lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20; now 41 lines).',
  )
  expect(await named('b')).toBe(
    'Edited a.txt (21 replacements, lines 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 …; now 41 lines).',
  )
})

test.each([
  [5, '5 times, in lines 1, 2, 3, 4, 5'],
  [6, 'more than 5 times, in lines 1, 2, 3, 4, 5 …'],
])('a text that is there %d times: five places are named', async (times, says) => {
  const { edit } = await session('a\n'.repeat(times))
  expect(await failureOf(edit({ old: 'a', new: 'b' }))).toBe(
    `The old text is in the file ${says}, so nothing was changed. Give more of the lines around the one that is meant, or all=true for all of them.`,
  )
})

test('10,000 places of one text are replaced, and more are refused', async () => {
  const { edit, text } = await session('a'.repeat(10_001))
  expect(await failureOf(edit({ old: 'a', new: 'b', all: true }))).toBe(
    'The old text is in the file more than 10000 times, which is more than one call replaces. Use shell, for example sed.',
  )
  expect(await text()).toBe('a'.repeat(10_001))
  expect(await failureOf(edit({ old: 'a', new: 'b' }))).toMatch(/^The old text is in the file more than 5 times, in line 1 …/)
  const { edit: editFewer, text: fewer } = await session('a'.repeat(10_000))
  await editFewer({ old: 'a', new: 'b', all: true })
  expect(await fewer()).toBe('b'.repeat(10_000))
})

test('a file of more than 20 MiB is refused', async () => {
  const size = 20 * 1024 * 1024
  const { edit } = await session(Buffer.alloc(size + 1, 'a\n'), { unread: true })
  expect(await failureOf(edit({ old: 'b', new: 'c' }))).toBe(
    `"a.txt" has ${size + 1} bytes; edit_file changes files of up to ${size} bytes. Use shell, for example: sed -i 'a.txt'`,
  )
})
