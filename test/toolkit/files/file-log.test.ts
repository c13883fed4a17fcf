import { expect, test } from 'vitest'
import { fileLog } from '../../../src/toolkit/index.ts'

const version = { size: 3n, mtimeNs: 1n }

test('of 10,001 files the one that was not touched for longest is forgotten', () => {
  const log = fileLog()
  for (let index = 0; index < 10_000; index++) log.sawAll(`/${index}`, version)
  expect([log.knows('/0', version), log.knows('/1', version)]).toEqual(['known', 'known'])
  log.sawAll('/0', version)
  log.sawAll('/new', version)
  expect([log.knows('/0', version), log.knows('/1', version), log.knows('/2', version), log.knows('/new', version)]).toEqual([
    'known',
    'unread',
    'known',
    'known',
  ])
})

test.each([
  [{ size: 3n, mtimeNs: 1n }, 'known'],
  [{ size: 4n, mtimeNs: 1n }, 'changed'],
  [{ size: 3n, mtimeNs: 2n }, 'changed'],
  [{ size: 3n, mtimeNs: 1n, hash: 'a' }, 'known'],
])('without a hash on both sides size and time decide: %o', (now, knows) => {
  const log = fileLog()
  log.sawAll('/a', version)
  expect(log.knows('/a', now)).toBe(knows)
})

test('nor does a hash on the side of the past alone', () => {
  const log = fileLog()
  log.sawAll('/a', { ...version, hash: 'a' })
  expect([log.knows('/a', version), log.knows('/a', { ...version, size: 4n })]).toEqual(['known', 'changed'])
})

test('where both have a hash, it alone decides', () => {
  const log = fileLog()
  log.sawAll('/a', { ...version, hash: 'a' })
  expect([log.knows('/a', { size: 9n, mtimeNs: 9n, hash: 'a' }), log.knows('/a', { ...version, hash: 'b' })]).toEqual(['known', 'changed'])
})

test('pages that were shown add up from the start on, and one behind a gap does not count', () => {
  const log = fileLog()
  const see = (from: number, to: number): unknown => {
    log.sawLines('/a', version, { from, to, lines: 9 })
    return log.knows('/a', version)
  }
  expect([see(1, 3), see(5, 9), see(4, 6), see(2, 3), see(7, 8), see(9, 9)]).toEqual([
    { readTo: 3, lines: 9 },
    { readTo: 3, lines: 9 },
    { readTo: 6, lines: 9 },
    { readTo: 6, lines: 9 },
    { readTo: 8, lines: 9 },
    'known',
  ])
})
