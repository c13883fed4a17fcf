import { expect, test } from 'vitest'
import { placesFor, systemResolve } from '../../../src/toolkit/web/guard.ts'

const { signal } = new AbortController()
const shut = { allowPrivate: false, byProxy: false, signal } as const

test('a name without an address, and one whose look-up fails, are not found', async () => {
  const found = (resolve: () => Promise<readonly string[]>): Promise<unknown> =>
    placesFor(new URL('http://a.example/'), { ...shut, resolve }).catch((error: Error) => error.message)
  expect([
    await found(async () => []),
    await found(() => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))),
    await found(() => Promise.reject('broken')),
  ]).toEqual([
    'The host a.example was not found (no address). Is the name right?',
    'The host a.example was not found (ENOTFOUND). Is the name right?',
    'The host a.example was not found (broken). Is the name right?',
  ])
})

test('an address is not looked up, and a proxy is told the name', async () => {
  const resolve = () => Promise.reject(new Error('not asked'))
  expect(await placesFor(new URL('http://[2606:4700::1]:8080/'), { ...shut, resolve })).toEqual(['2606:4700::1'])
  expect(await placesFor(new URL('http://a.example/'), { ...shut, resolve, byProxy: true })).toEqual([])
})

test.each([
  ['10.0.0.5:8080', 'http://10.0.0.5:8080/', true],
  ['10.0.0.5:8080', 'http://10.0.0.5/', false],
  ['10.0.0.5', 'http://10.0.0.5:8080/', true],
  ['Wiki.Internal', 'http://wiki.internal/', true],
  ['wiki.internal', 'http://wiki.internal./', true],
  ['wiki.internal', 'http://a.wiki.internal/', false],
  ['::1', 'http://[::1]:3000/', true],
  ['[::1]', 'http://[::1]:3000/', true],
  ['[::1]:3000', 'http://[::1]:3000/', true],
  ['[::1]:3001', 'http://[::1]:3000/', false],
])('%s allows %s: %s', async (allowed, url, isAllowed) => {
  const places = placesFor(new URL(url), { ...shut, allowPrivate: [allowed], resolve: async () => ['10.0.0.5'] })
  expect(
    await places.then(
      () => true,
      () => false,
    ),
  ).toBe(isAllowed)
})

test('the system knows this computer, by all of its addresses', async () => {
  const addresses = await systemResolve('localhost')
  expect(addresses.filter((address) => address !== '127.0.0.1' && address !== '::1')).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
})
