import { describe, expect, it } from 'vitest'
import { fileResults, readFile } from 'lena-agent/toolkit'
import { fc } from '../../support/fast-check.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const { signal } = new AbortController()

async function stored(text: string) {
  const workspace = await workspaceWith()
  const store = fileResults({ dir: `${workspace}/results` })
  const { path } = await store.put({ text, callId: 'call_1', conversationId: 'conv_1' }, { signal })
  const read = readFile({ workspace })
  return { path, read: async (offset?: number, limit?: number) => (await read({ path, offset, limit })) as string }
}

const folded = '[Lines of more than 2000 characters are folded: each piece has a number of its own.]'

describe('a stored result', () => {
  it('of one long line is read to its end, piece by piece', async () => {
    const text = 'x'.repeat(2000) + 'y'.repeat(2000) + 'z'
    const { read } = await stored(text)
    expect(await read()).toBe([`1\t${'x'.repeat(2000)}`, `2\t${'y'.repeat(2000)}`, '3\tz', folded].join('\n'))
    expect(await read(1, 1)).toBe([`1\t${'x'.repeat(2000)}`, folded, '[Lines 1-1 of 3. 2 lines are left: go on with offset=2.]'].join('\n'))
    expect(await read(2, 1)).toBe([`2\t${'y'.repeat(2000)}`, folded, '[Lines 2-2 of 3. 1 line is left: go on with offset=3.]'].join('\n'))
    expect(await read(3)).toBe(['3\tz', folded, '[Lines 3-3 of 3: the end of the file.]'].join('\n'))
  })

  it('of short lines has the numbers that other files have', async () => {
    const { read } = await stored('one\r\n\ntwo\n')
    expect(await read()).toBe('1\tone\n2\t\n3\ttwo')
  })

  it('is text, whatever its first characters look like', async () => {
    const { read } = await stored('GIF89a\u0000\u0001')
    expect(await read()).toBe('1\tGIF89a\ufffd\u0001')
  })

  it('may be empty; an offset past its end is an error', async () => {
    expect(await (await stored('')).read()).toBe('[The file is empty.]')
    const { path, read } = await stored('a\nb')
    expect(await failureOf(read(3))).toBe(`offset=3 is past the end: ${JSON.stringify(path)} has 2 lines.`)
  })

  it('gives all of itself over several reads of at most 100,000 characters', { timeout: 60_000 }, async () => {
    const text = 'zwölf 😀 Boxkämpfer '.repeat(30_000)
    const { read } = await stored(text)
    let all = ''
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const shown: string = await read(offset)
      expect(shown.length).toBeLessThan(101_000)
      for (const row of shown.split('\n')) if (/^\d+\t/.test(row)) all += row.slice(row.indexOf('\t') + 1)
      const next = /go on with offset=(\d+)/.exec(shown)?.[1]
      offset = next === undefined ? undefined : Number(next)
    }
    expect(all === text).toBe(true)
  })

  it('has no line that cannot be reached, whatever their lengths', { timeout: 60_000 }, async () => {
    const lines = fc.array(
      fc.tuple(
        fc.constantFrom('', 'x'),
        fc.constantFrom('a', 'ä', '😀'),
        fc.constantFrom(0, 1, 999, 1000, 1001, 1999, 2000, 2001, 4000, 4001),
      ),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(lines, async (given) => {
        const text = `${given.map(([first, char, count]) => first + char.repeat(count)).join('\n')}\nend`
        const { read } = await stored(text)
        const rows = (await read()).split('\n').filter((row) => /^\d+\t/.test(row))
        expect(rows.map((row) => Number(/^\d+/.exec(row)![0]))).toEqual(rows.map((_, at) => at + 1))
        const shown = rows.map((row) => row.slice(row.indexOf('\t') + 1))
        expect(Math.max(...shown.map((row) => row.length))).toBeLessThanOrEqual(2000)
        expect(shown.filter((row) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(row))).toEqual([])
        expect(shown.join('')).toBe(text.replaceAll('\n', ''))
      }),
      { numRuns: 25 },
    )
  })
})

describe('another file', () => {
  it('is shown as before: a long line is cut', async () => {
    const workspace = await workspaceWith({ 'a.txt': 'x'.repeat(2001) })
    expect(await readFile({ workspace })({ path: 'a.txt' })).toContain('[… the line is cut here; it has 2001 bytes]')
  })
})
