import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Said } from '../security/judge.ts'
import { judgeIn, makePlace } from '../security/judge.ts'

const place = makePlace()
afterAll(place.remove)
const { workspace, base } = place
const outside = join(base, 'app-secret', 'key')

type Call = readonly [name: string, input: Record<string, string>]
const read: Call = ['read_file', { path: 'src/plain.txt' }]
const readOutside: Call = ['read_file', { path: outside }]
const write: Call = ['write_file', { path: 'src/new.txt' }]
const writeOutside: Call = ['write_file', { path: outside }]
const ls: Call = ['shell', { command: 'ls src' }]
const make: Call = ['shell', { command: 'make' }]
const wipe: Call = ['shell', { command: 'rm -rf /' }]

describe('modes', () => {
  test.each<readonly [string, readonly Said[]]>([
    ['default', ['allow', 'ask', 'ask', 'ask', 'allow', 'ask', 'ask']],
    ['plan', ['allow', 'ask', 'deny', 'deny', 'allow', 'deny', 'deny']],
    ['accept_edits', ['allow', 'ask', 'allow', 'ask', 'allow', 'ask', 'ask']],
    ['bypass', ['allow', 'ask', 'allow', 'ask', 'allow', 'allow', 'ask']],
  ])('%s: %j for read, read outside, write, write outside, ls, make, rm -rf /', async (mode, said) => {
    const judge = judgeIn(workspace, { mode: mode as 'plan' })
    const verdicts: Said[] = []
    for (const call of [read, readOutside, write, writeOutside, ls, make, wipe]) verdicts.push(await judge(...call))
    expect(verdicts).toEqual(said)
  })
})

describe('rules', () => {
  test.each<readonly [readonly string[], Call, Said]>([
    [['allow shell(make)'], make, 'allow'],
    [['allow shell'], make, 'allow'],
    [['allow *'], make, 'allow'],
    [['allow sh*'], make, 'allow'],
    [['allow shell(make *)'], make, 'allow'],
    [['allow shell(makes)'], make, 'ask'],
    [['ask shell(make)', 'allow shell'], make, 'ask'],
    [['allow shell', 'deny shell(make)'], make, 'deny'],
    [['deny read_file'], read, 'deny'],
    [['ask read_file(src/**)'], read, 'ask'],
    [['ask read_file(src/*)'], read, 'ask'],
    [['ask read_file(*.txt)'], read, 'allow'],
    [['ask read_file(**/*.txt)'], read, 'ask'],
    [['allow read_file'], readOutside, 'ask'],
    [['allow write_file(src/**)'], write, 'allow'],
    [['allow write_file(docs/**)'], write, 'ask'],
    [['allow shell'], wipe, 'ask'],
    [['allow shell(npm *)', 'allow shell(make)'], ['shell', { command: 'npm ci && make; ls src | wc -l' }], 'allow'],
    [['allow shell(npm *)'], ['shell', { command: 'CI=1 npm ci 2>&1' }], 'allow'],
    [['allow web_fetch(https://docs.example/*)'], ['web_fetch', { url: 'https://docs.example/a/b?c' }], 'allow'],
    [['allow web_fetch(https://docs.example/*)'], ['web_fetch', { url: 'http://docs.example/a' }], 'ask'],
    [['allow web_fetch(https://docs.example/*)'], ['web_fetch', { url: 'https://docs.example:8443/a' }], 'ask'],
    [['allow web_fetch(https://docs.example)'], ['web_fetch', { url: 'https://docs.example/a/b' }], 'allow'],
    [['allow web_fetch(docs.example)'], ['web_fetch', { url: 'http://docs.example/a' }], 'allow'],
    [['allow web_fetch(docs.example)'], ['web_fetch', { url: 'http://x.docs.example/a' }], 'ask'],
    [['allow web_fetch(*.docs.example)'], ['web_fetch', { url: 'http://x.docs.example/a' }], 'allow'],
    [['allow web_fetch(*.docs.example)'], ['web_fetch', { url: 'http://docs.example.evil.test/' }], 'ask'],
    [['allow web_fetch(docs.example)'], ['web_fetch', { url: 'http://docs.example@evil.test/' }], 'ask'],
    [['allow web_fetch(docs.example)'], ['web_fetch', { url: 'http://evil.test/docs.example' }], 'ask'],
  ])('%j %j: %s', async (rules, call, said) => {
    expect(await judgeIn(workspace, { rules })(...call)).toBe(said)
  })

  test.each([
    ['allow', 'The rule "allow" cannot be read.'],
    ['permit shell', 'must say allow, ask or deny.'],
    ['deni shell', 'Did you mean "deny"?'],
    ['allow she!!', 'must name a tool'],
    ['allow shell()', 'must be a text of 1 to 2000 characters'],
    [{ decision: 'allow', tool: 'shell', patern: 'x' }, 'unknown key "patern"'],
    [7, 'A rule is a text or an object.'],
  ])('%j is refused when it is given', (rule, message) => {
    expect(() => judgeIn(workspace, { rules: [rule as string] })).toThrow(message)
  })
})

test('stored results outside the workspace may be read, and not written', async () => {
  const judge = judgeIn(workspace, { isPersisted: (path) => path === outside, mode: 'accept_edits' })
  expect([await judge(...readOutside), await judge(...writeOutside)]).toEqual(['allow', 'ask'])
})

test('files that are protected beside those that always are', async () => {
  const judge = judgeIn(workspace, { protected: ['deploy/**'], mode: 'accept_edits' })
  expect([await judge('write_file', { path: 'deploy/run' }), await judge('write_file', { path: 'src/run' })]).toEqual(['ask', 'allow'])
})
