import { afterAll, expect, test } from 'vitest'
import type { Lookups } from '../../src/host/file-system.ts'
import { localHost } from '../../src/toolkit/index.ts'
import { judgeOn, makePlace } from './judge.ts'

const place = makePlace()
const { workspace } = place
afterAll(place.remove)

const rules = ['deny read_file(secret/**)', 'ask read_file(**/.env)', 'deny write_file(src/x/**)', 'deny shell(git push*)']

/** How often a machine is asked while one call is judged, from its flags to the word of the gate. */
async function looksFor(command: string): Promise<number> {
  const host = localHost({ workspace })
  const atOnce = host.files.atOnce!
  let looks = 0
  const counted = Object.fromEntries(
    Object.entries(atOnce).map(([name, ask]: [string, (path: string) => unknown]) => [name, (path: string) => (looks++, ask(path))]),
  ) as unknown as Lookups
  await judgeOn({ ...host, files: { ...host.files, atOnce: counted } }, workspace, { mode: 'bypass', rules })('shell', { command })
  return looks
}

const words = (count: number, word: (index: number) => string): string => Array.from({ length: count }, (_, index) => word(index)).join(' ')

test.each<readonly [string, (count: number) => string, number]>([
  ['names in one folder', (count) => `ls ${words(count, (index) => `src/f${index}.ts`)}`, 5],
  ['names in a folder that is not there', (count) => `ls ${words(count, (index) => `some/odd/f${index}`)}`, 3],
  ['words with several names in them', (count) => `make ${words(count, (index) => `a/x${index}=b/y:c@d,e/${index}`)}`, 3],
  ['commands by one name', (count) => words(count, (index) => `cat src/f${index};`), 9],
  ['files to write', (count) => words(count, (index) => `> src/f${index}`), 12],
])('%s: each more costs a few looks at files, and no more', async (_, command, each) => {
  const [some, more] = [await looksFor(command(100)), await looksFor(command(200))]
  expect(more - some).toBeLessThanOrEqual(100 * each)
  expect(await looksFor(command(600))).toBeLessThanOrEqual(600 * each)
})

test('folders that are shared are asked for once', async () => {
  const deep = 'a/b/c/d/e/f'
  expect((await looksFor(`ls ${words(50, (index) => `${deep}/x${index}`)}`)) - (await looksFor(`ls ${deep}/x`))).toBeLessThanOrEqual(50)
})

test.each(['a/', '*a/', './', '../', '~/', 'src/../'])('a path of 60,000 times %j is too long for any system', async (part) => {
  expect(await looksFor(`cat ${part.repeat(60_000).slice(0, 110_000)}`)).toBeLessThan(200)
})
