import { expect, test } from 'vitest'
import { applyEdits } from '../../../src/toolkit/edit/apply-edits.ts'
import { findEdits } from '../../../src/toolkit/edit/find-edits.ts'
import type { Edit } from '../../../src/toolkit/edit/find-edits.ts'
import { normalised } from '../../../src/toolkit/edit/normalised.ts'
import { fc } from '../../support/fast-check.ts'
import { session } from '../support/session.ts'

const withEdits = (text: string, edits: readonly Edit[]): string => {
  const plain = normalised(text)
  return applyEdits(text, plain, findEdits(plain.text, edits).replacements)
}

const lf = (text: string): string => text.replaceAll('\r\n', '\n')
const chars = (...some: string[]) => fc.array(fc.constantFrom(...some), { maxLength: 6 }).map((parts) => parts.join(''))
const line = chars('a', 'b', ' ', '\t', 'é', '🙂', '"', '\u201c', '$&', '\\')

/** Pieces between edits and the texts to replace, each of which is there once: it bears its number. */
const document = fc
  .array(
    fc.record({
      before: fc.array(line, { maxLength: 3 }),
      old: fc.array(line, { minLength: 1, maxLength: 3 }),
      text: fc.array(line, { maxLength: 4 }),
      isEdited: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) =>
    parts.map(({ before, old, text, isEdited }, index) => ({
      before: `${before.join('\n')}\n`,
      old: `<${index}${old.join('\n')}${index}>`,
      text: isEdited ? `[${text.join('\n')}]` : undefined,
    })),
  )
const order = fc.infiniteStream(fc.nat())

test('edits do what replacing piece by piece does, in whatever order they are given', () => {
  fc.assert(
    fc.property(document, order, fc.constantFrom('\n', '\r\n'), (parts, keys, end) => {
      const asWritten = (text: string): string => text.replaceAll('\n', end)
      const original = asWritten(parts.map(({ before, old }) => before + old).join(''))
      const edits = parts
        .flatMap(({ old, text }) => (text === undefined ? [] : [{ key: keys.next().value!, old, new: text }]))
        .sort((a, b) => a.key - b.key)
        .map(({ old, new: text }) => ({ old, new: text }))
      expect(withEdits(original, edits)).toBe(asWritten(parts.map(({ before, old, text }) => before + (text ?? old)).join('')))
    }),
  )
})

test('of mixed line ends each that is not replaced stays', () => {
  const ends = fc.infiniteStream(fc.constantFrom('\n', '\r\n'))
  fc.assert(
    fc.property(document, ends, (parts, kinds) => {
      const mix = (text: string): string => text.replace(/\n/g, () => kinds.next().value!)
      const mixed = parts.map(({ before, old, text }) => ({ before: mix(before), old: mix(old), asked: old, text }))
      const edits = mixed.flatMap(({ asked, text }) => (text === undefined ? [] : [{ old: asked, new: text }]))
      const result = withEdits(mixed.map(({ before, old }) => before + old).join(''), edits)
      // The same text, and every piece that no edit touches byte for byte.
      expect(lf(result)).toBe(mixed.map(({ before, asked, text }) => lf(before) + (text ?? asked)).join(''))
      let at = 0
      for (const { before, old, text } of mixed) {
        const kept = text === undefined ? before + old : before
        expect(result.slice(at, at + kept.length)).toBe(kept)
        at += kept.length
        if (text !== undefined) at += lengthOf(result.slice(at), text.length)
      }
      expect(at).toBe(result.length)
    }),
  )
})

/** How much of a text with any line ends stands for so many characters with `\n`. */
function lengthOf(text: string, chars: number): number {
  let at = 0
  for (let left = chars; left > 0; left--) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}

test('all replaces what splitting and joining does', () => {
  fc.assert(
    fc.property(chars('a', 'b', '\n', '\r\n', 'aa', '🙂'), chars('a', 'b', '\n', 'aa'), chars('a', 'c', '\n'), (text, old, put) => {
      fc.pre(old !== '' && old !== put && lf(text).includes(old))
      expect(lf(withEdits(text, [{ old, new: put, all: true }]))).toBe(lf(text).split(old).join(put))
    }),
  )
})

test('through the tool: a file holds exactly what was asked for, mark and all', async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (parts, end, hasMark) => {
      const asWritten = (text: string): string => (hasMark ? '\ufeff' : '') + text.replaceAll('\n', end)
      const edits = parts.flatMap(({ old, text }) => (text === undefined ? [] : [{ old, new: text }]))
      fc.pre(edits.length > 0)
      const { edit, text } = await session(asWritten(parts.map(({ before, old }) => before + old).join('')))
      await edit({ edits })
      expect(await text()).toBe(asWritten(parts.map((part) => part.before + (part.text ?? part.old)).join('')))
    }),
    { numRuns: 50 },
  )
}, 60_000)
