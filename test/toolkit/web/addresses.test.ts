import { BlockList, isIPv6 } from 'node:net'
import { describe, expect, test } from 'vitest'
import { bytesOf, isPublicAddress } from '../../../src/toolkit/web/addresses.ts'
import { placesFor } from '../../../src/toolkit/web/guard.ts'
import { webUrl } from '../../../src/toolkit/web/web-url.ts'
import { fc } from '../../support/fast-check.ts'

const signal = new AbortController().signal
const nowhere = async () => ['8.8.8.8']

/** May the page be asked for? */
const isOpen = async (address: string, resolve: (host: string) => Promise<readonly string[]> = nowhere): Promise<boolean> =>
  await Promise.resolve()
    .then(() => placesFor(webUrl(address), { allowPrivate: false, resolve, byProxy: false, signal }))
    .then(
      () => true,
      (error: Error) => {
        expect(error.message).toMatch(/only hosts of the public network|is no address of a page/)
        return false
      },
    )

// oxfmt-ignore
test.each([
  '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1', '0', '0.0.0.0', '10.1.2.3', '10.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '0xa9fea9fe', '2852039166', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.0.0.192', '192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255', '168.63.129.16',
  '[::1]', '[::]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:10.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001:0:1::1]', '[2001:db8::1]', '[3fff::1]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[5f00::1]', '[4000::1]',
  'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'router.lan', 'intranet', 'x.home.arpa', 'nas.home',
])('http://%s/ is not asked', async (host) => {
  expect(await isOpen(`http://${host}/`)).toBe(false)
  expect(await isOpen(`https://${host}:8443/x`)).toBe(false)
})

// oxfmt-ignore
test.each(['example.com', '8.8.8.8', '1.1', '172.32.0.1', '172.15.0.1', '100.128.0.1', '192.1.0.1', '[2606:4700::1111]', '[2001:4860:4860::8888]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]', 'localhost.example.com', 'local.example', 'xn--bcher-kva.example'])('http://%s/ is', async (host) => {
  expect(await isOpen(`http://${host}/`)).toBe(true)
})

describe('names', () => {
  test.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['2606:4700::1', '::ffff:169.254.169.254'], ['fe80::1%eth0'], ['::1'], ['nonsense']])(
    'one that leads to %s is not asked',
    async (...addresses) => {
      expect(await isOpen('https://rebound.example/', async () => addresses)).toBe(false)
    },
  )
})

/** A part of an IPv4 address in one of the ways that browsers take it. */
const written = (value: number, way: number): string =>
  way === 0
    ? String(value)
    : way === 1
      ? `0x${value.toString(16)}`
      : way === 2
        ? `0X${value.toString(16).toUpperCase()}`
        : `0${value.toString(8)}`

/** Near the bounds of what is closed, where slips are. */
const near = fc
  .tuple(
    fc.constantFrom(
      0x0a000000,
      0x7f000000,
      0x64400000,
      0x64800000,
      0xa9fe0000,
      0xac100000,
      0xac200000,
      0xc0000000,
      0xc0a80000,
      0xc6120000,
      0xe0000000,
      0x01000000,
      0x08080808,
    ),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([base, offset]) => (base + offset + 2 ** 32) % 2 ** 32)
const four = fc.oneof(near, fc.integer({ min: 0, max: 2 ** 32 - 1 }))
const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')

test('an IPv4 address is judged alike in every form', { timeout: 60_000 }, async () => {
  const way = fc.integer({ min: 0, max: 3 })
  await fc.assert(
    fc.asyncProperty(four, fc.tuple(way, way, way, way), fc.integer({ min: 1, max: 4 }), fc.boolean(), async (value, ways, parts, dot) => {
      const isPublic = isPublicAddress(dotted(value))
      const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
      const rest = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
      const host = [...bytes.slice(0, parts - 1), rest].map((part, index) => written(part, ways[index]!)).join('.') + (dot ? '.' : '')
      const hex = (value >>> 16).toString(16) + ':' + (value & 0xffff).toString(16)
      const forms = [host, `[::ffff:${dotted(value)}]`, `[::FFFF:${hex}]`, `[0:0:0:0:0:ffff:${hex}]`, `[64:ff9b::${hex}]`]
      const said = await Promise.all(forms.map((form) => isOpen(`http://${form}/`)))
      expect(said).toEqual(forms.map(() => isPublic))
      // As compatible, 6to4 or Teredo addresses none of them is.
      expect(await Promise.all([`[::${hex}]`, `[2002:${hex}::1]`, `[2001:0:${hex}::1]`].map((form) => isOpen(`http://${form}/`)))).toEqual([
        false,
        false,
        false,
      ])
    }),
  )
})

test('what is closed of IPv4 is what the list of Node says', () => {
  const list = new BlockList()
  for (const [base, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const)
    list.addSubnet(base, bits)
  list.addAddress('168.63.129.16')
  fc.assert(
    fc.property(four, (value) => {
      expect(isPublicAddress(dotted(value))).toBe(!list.check(dotted(value)))
    }),
  )
})

test('what is open of IPv6 is what the list of Node says', () => {
  const open = new BlockList()
  open.addSubnet('2000::', 3, 'ipv6')
  const closed = new BlockList()
  for (const [base, bits] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const)
    closed.addSubnet(base, bits, 'ipv6')
  const group = fc.oneof(
    fc.constantFrom('0', '2000', '2001', '2002', '1ff', '200', 'db8', '3fff', 'fff', '1000', 'ffff'),
    fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
  )
  fc.assert(
    fc.property(fc.tuple(group, group, group), ([a, b, c]) => {
      const address = `${a}:${b}:${c}:1:2:3:4:5`
      expect(isPublicAddress(address)).toBe(open.check(address, 'ipv6') && !closed.check(address, 'ipv6'))
    }),
  )
})

test('what is an IPv6 address is what Node says', () => {
  const piece = fc.oneof(fc.constantFrom(':', '::', '1', 'ab', '0000', 'ffff', '12345', '1.2.3.4', '256.1.1.1', '01.2.3.4', 'g', ''))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 17 }), (pieces) => {
      const text = pieces.join('')
      expect(bytesOf(text)?.length === 16).toBe(isIPv6(text))
    }),
  )
})

test.each([
  '::1.2.3.4:5',
  '1.2.3.4::',
  '::1.2.3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '::1::',
  ':::',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
])('%s is no address', (text) => {
  expect(bytesOf(text)).toBeUndefined()
})
