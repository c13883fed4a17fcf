import { describe, expect, test } from 'vitest'
import type { Lookups } from '../../src/host/file-system.ts'
import { localLookups } from '../../src/host/local-files.ts'
import { codeOf, isInside, resolveLinks } from '../../src/host/paths.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** Nothing is there but links, which lead so. */
function links(leadsTo: (path: string) => string | undefined): { readonly look: Lookups; readonly count: () => number } {
  let count = 0
  const look: Lookups = {
    ...localLookups,
    realpath(path) {
      if (path === '/') return path
      throw failure('ENOENT')
    },
    readlink(path) {
      const target = leadsTo(path)
      if (target === undefined) throw failure('EINVAL')
      count++
      return target
    },
  }
  return { look, count: () => count }
}

describe('where a path leads', () => {
  test('what is not there stays as it is, whatever is left of the way', () => {
    expect(resolveLinks(links(() => undefined).look, '/a/b/c')).toBe('/a/b/c')
  })

  test('a link that leads nowhere is followed, from its own folder', () => {
    const { look } = links((path) => ({ '/a/b': '../c', '/c': 'd/e' })[path])
    expect(resolveLinks(look, '/a/b/x')).toBe('/d/e/x')
  })

  test('links in a circle end, after as many as a system follows', () => {
    const { look, count } = links(() => 'next')
    expect(() => resolveLinks(look, '/a')).toThrow('Too many links on the way to "/next".')
    expect(count()).toBe(41)
  })

  test('a failure but for a missing file is thrown', () => {
    const look: Lookups = {
      ...localLookups,
      realpath() {
        throw failure('EACCES')
      },
    }
    expect(() => resolveLinks(look, '/a')).toThrow('EACCES')
  })
})

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', true],
  ['/a/b', '/a/b/..c', true],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/a', false],
  ['/a/b', '/a/c', false],
  ['/', '/a', true],
])('in %s: %s', (folder, path, isIn) => {
  expect(isInside(folder, path)).toBe(isIn)
})

test('the name that the system has for a failure', () => {
  expect([codeOf(failure('ENOENT')), codeOf(new Error('other')), codeOf(undefined)]).toEqual(['ENOENT', undefined, undefined])
})
