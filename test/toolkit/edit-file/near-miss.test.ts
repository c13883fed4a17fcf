import { expect, test } from 'vitest'
import { session } from '../support/session.ts'
import { failureOf } from '../support/workspace.ts'

const file = ['function first() {', '\treturn one', '}', '', 'function second() {', '\treturn two', '}', ''].join('\n')

test.each<{ title: string; old: string; says: string }>([
  {
    title: 'a block with other white space',
    old: 'function second() {\n  return two\n}',
    says: 'Lines 5-7 come nearest. Line 6 differs in white space: the file has "\\treturn two", the old text "  return two".',
  },
  {
    title: 'a block with another line',
    old: 'function second() {\n\treturn three\n}',
    says: 'Lines 5-7 come nearest. Line 6 differs: the file has "\\treturn two", the old text "\\treturn three".',
  },
  {
    title: 'one line that is like others',
    old: 'function secnd() {',
    says: 'Nearest to "function secnd() {": line 5 "function second() {"; line 1 "function first() {".',
  },
  {
    title: 'line numbers',
    old: '5\tfunction second() {',
    says: 'Nearest to "5\\tfunction second() {": line 5 "function second() {"; line 1 "function first() {". Leave out the line numbers and the tab after them: they are not part of the file.',
  },
  { title: 'nothing that is like it', old: 'import zebra', says: 'Nothing in it comes near. Read the file again with read_file.' },
])('$title', async ({ old, says }) => {
  const { edit, text } = await session(file)
  expect(await failureOf(edit({ old, new: 'x' }))).toBe(`The old text is not in the file, so nothing was changed. ${says}`)
  expect(await text()).toBe(file)
})

test('in a large file of long lines it is named in time', async () => {
  const { edit } = await session(`${'lorem ipsum dolor '.repeat(20)}\n`.repeat(30_000))
  expect(await failureOf(edit({ old: 'lorem ipsum color', new: 'x' }))).toMatch(
    /^The old text is not in the file, so nothing was changed\./,
  )
})
