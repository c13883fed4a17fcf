import { describe, expect, it } from 'vitest'
import { toolNamePattern } from '../../src/messages/normalise.ts'
import { foreignNames } from '../../src/tools/foreign-name.ts'
import { fc } from '../support/fast-check.ts'

const names = (...originals: readonly string[]) => foreignNames(originals).map(({ name }) => name)
const hash = expect.stringMatching(/_[0-9a-z]{7}$/)

describe('foreignNames', () => {
  it('keeps what is legal and maps the rest, each with its original', () => {
    expect(foreignNames(['search', 'files.read', 'a b/c', '-x'])).toEqual([
      { name: 'search', original: 'search' },
      { name: 'files_read', original: 'files.read' },
      { name: 'a_b_c', original: 'a b/c' },
      { name: '-x', original: '-x' },
    ])
  })

  it('cuts what is too long', () => expect(names(`${'x'.repeat(70)}.y`)).toEqual(['x'.repeat(64)]))
  it('counts characters, not their halves', () => expect(names('a😀b')).toEqual(['a_b']))

  it('ends in a hash where the name is taken, or nearly', () => {
    expect(names('get_user', 'get.user')).toEqual(['get_user', hash])
    expect(names('Get-User', 'get.user')).toEqual(['Get-User', hash])
    const [one, other] = names('a.b', 'a/b')
    expect([one, other]).toEqual([hash, hash])
    expect(one).not.toBe(other)
  })

  it('ends in a hash where nothing else is left of it', () => expect(names('工具', '')).toEqual([hash, hash]))
  it('is the same name for the same original', () => expect(names('a.b', 'a.b')).toEqual(['a_b', 'a_b']))
  it('has a hash that never changes', () => expect(names('工具')).toEqual(['___185ciet']))

  it('is legal, unique, and does not depend on the order', () => {
    const original = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: fc.constantFrom('a', 'A', '-', '_', '.', '/'), maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(original), (originals) => {
        const mapped = foreignNames(originals)
        expect(mapped.map((tool) => tool.original)).toEqual(originals)
        for (const { name } of mapped) expect(name).toMatch(toolNamePattern)
        expect(new Set(mapped.map(({ name }) => name)).size).toBe(originals.length)
        expect(foreignNames(originals.toReversed())).toEqual(mapped.toReversed())
      }),
    )
  })
})
