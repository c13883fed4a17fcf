import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { grep, shell } from '../../../src/toolkit/index.ts'
import { engines } from '../support/engines.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const nothing = '[Nothing matches. Binary files and what ignore files name are not searched.]'
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

describe.each(engines)('%s', (_, ripgrep) => {
  const inTree = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    const workspace = await workspaceWith(files)
    return { workspace, search: grep({ workspace, ripgrep }) }
  }

  test('lines with their numbers, by file, in the order of the paths', async () => {
    const { search } = await inTree({ 'b.txt': 'one\ntwo\none two\n', 'a/z.txt': 'one', 'a.txt': 'none here\n', '.hidden': 'one\n' })
    expect(await search({ pattern: '^one' })).toBe('.hidden\n1:one\n\na/z.txt\n1:one\n\nb.txt\n1:one\n3:one two')
  })

  test('files, counts, a limit', async () => {
    const { search } = await inTree({ 'a.txt': 'x\nx\n', 'b.txt': 'x\n', 'c.txt': 'y\n', 'd.txt': 'x\n' })
    expect(await search({ pattern: 'x', show: 'files' })).toBe('a.txt\nb.txt\nd.txt')
    expect(await search({ pattern: 'x', show: 'counts' })).toBe('a.txt: 2\nb.txt: 1\nd.txt: 1')
    expect(await search({ pattern: 'x', show: 'files', limit: 2 })).toBe(
      'a.txt\nb.txt\n[There is more: 2 files are shown. Narrow it down with path, glob or the pattern.]',
    )
    expect(await search({ pattern: 'x', limit: 1 })).toBe(
      'a.txt\n1:x\n[There is more: 1 matching line is shown. Narrow it down with path, glob or the pattern, or see the files first with show="files".]',
    )
    expect(await search({ pattern: 'x', limit: 4 })).toBe('a.txt\n1:x\n2:x\n\nb.txt\n1:x\n\nd.txt\n1:x')
  })

  test('lines of context, each once, with a mark where lines are left out', async () => {
    const { search } = await inTree({ 'a.txt': '1\nhit\n3\nhit\n5\n6\n7\n8\nhit\n' })
    expect(await search({ pattern: 'hit', context: 1 })).toBe('a.txt\n1-1\n2:hit\n3-3\n4:hit\n5-5\n--\n8-8\n9:hit')
  })

  test('a glob, a folder, a single file', async () => {
    const { search, workspace } = await inTree({ 'a.ts': 'x\n', 'src/a.ts': 'x\n', 'src/b.md': 'x\n' })
    expect(await search({ pattern: 'x', glob: '*.ts', show: 'files' })).toBe('a.ts\nsrc/a.ts')
    expect(await search({ pattern: 'x', glob: 'src/*.{ts,md}', show: 'files' })).toBe('src/a.ts\nsrc/b.md')
    expect(await search({ pattern: 'x', path: 'src', glob: './*.md' })).toBe('src/b.md\n1:x')
    expect(await search({ pattern: 'x', path: './src/a.ts' })).toBe('./src/a.ts\n1:x')
    expect(await search({ pattern: 'x', path: join(workspace, 'src') })).toBe(`${workspace}/src/a.ts\n1:x\n\n${workspace}/src/b.md\n1:x`)
  })

  test('text as it is, and any case', async () => {
    const { search } = await inTree({ 'a.txt': 'a.b(c)\naxb\nÄPFEL\n' })
    expect(await search({ pattern: 'a.b(', literal: true })).toBe('a.txt\n1:a.b(c)')
    expect(await search({ pattern: 'äpfel', ignoreCase: true })).toBe('a.txt\n3:ÄPFEL')
    // Only where that is asked for.
    expect([await search({ pattern: 'äpfel' }), await search({ pattern: 'A.B', literal: true })]).toEqual([nothing, nothing])
    expect(await search({ pattern: 'A.B', literal: true, ignoreCase: true })).toBe('a.txt\n1:a.b(c)')
  })

  test('what looks like an option is a pattern', async () => {
    const { search } = await inTree({ 'a.txt': '--pre=touch planted\n-e\n' })
    expect(await search({ pattern: '--pre=touch planted' })).toBe('a.txt\n1:--pre=touch planted')
    expect(await search({ pattern: '-e' })).toBe('a.txt\n1:--pre=touch planted\n2:-e'.replace('1:--pre=touch planted\n', ''))
  })

  test.each([
    ['(a', 'unclosed group'],
    ['[a', 'unclosed character class'],
    ['a {', 'repetition quantifier expects a valid decimal'],
    ['*a', 'repetition operator missing expression'],
    ['(a)\\1', 'backreferences are not supported'],
    ['\\y', 'unrecognized escape sequence'],
  ])('%s is no pattern', async (pattern, reason) => {
    const { search } = await inTree({ 'a.txt': 'a\n' })
    expect(await failureOf(search({ pattern }))).toBe(
      `The pattern cannot be used: ${reason}. To search for the text as it is, set literal=true.`,
    )
  })

  test.each(['(?=a)', '(?<!a)b'])('%s is refused', async (pattern) => {
    const { search } = await inTree({ 'a.txt': 'a\n' })
    expect(await failureOf(search({ pattern }))).toMatch(/^The pattern cannot be used: look-around.* is not supported\./)
  })

  test('a line break in a pattern is refused', async () => {
    const { search } = await inTree({ 'a.txt': 'a\n' })
    expect(await failureOf(search({ pattern: 'a\\nb' }))).toMatch(/^The pattern cannot be used: the literal "\\n" is not allowed/)
    expect(await failureOf(search({ pattern: 'a\nb' }))).toMatch(/^The pattern cannot be used: the literal "\\n" is not allowed/)
  })

  test('binary files are left out, wherever the NUL stands and however they are named', async () => {
    const { search } = await inTree({
      'early.dat': 'hit\0\n',
      'late.dat': `hit\n${'x'.repeat(300_000)}\n\0\n`,
      'text.txt': 'hit\n',
    })
    expect(await search({ pattern: 'hit' })).toBe('text.txt\n1:hit')
    expect(await search({ pattern: 'hit', path: 'early.dat' })).toBe(nothing)
    expect(await search({ pattern: 'hit', path: 'late.dat' })).toBe(nothing)
  })

  test('CRLF, byte-order marks and UTF-16', async () => {
    const { search } = await inTree({ 'bom.txt': '\ufeffhit\n', 'crlf.txt': 'a hit\r\nhit b\r\n', 'utf16.txt': utf16('hit ä\r\n') })
    expect(await search({ pattern: '^hit|hit$' })).toBe('bom.txt\n1:hit\n\ncrlf.txt\n1:a hit\n2:hit b\n\nutf16.txt\n1:hit ä')
  })

  test('of a long line what stands around the match', async () => {
    const { search } = await inTree({ 'a.js': `${'a'.repeat(1000)}hit${'🙂'.repeat(1000)}\n` })
    expect(await search({ pattern: 'hit' })).toBe(`a.js\n1:…${'a'.repeat(100)}hit${'🙂'.repeat(198)}… [cut: the line has 3003 characters]`)
  })

  test('much output is cut before it is too much', async () => {
    const { search } = await inTree({ 'a.txt': `${'x'.repeat(400)}\n`.repeat(200) })
    const said = await search({ pattern: 'x' })
    expect(said.length).toBeLessThan(29_000)
    expect(said.split('\n').at(-1)).toMatch(/^\[There is more: 69 matching lines are shown\./)
  })

  test('links are not followed, FIFOs not opened', async () => {
    const outside = await workspaceWith({ 'secret.txt': 'hit\n' })
    const { workspace, search } = await inTree({ 'a.txt': 'hit\n' })
    await symlink(outside, join(workspace, 'out'))
    await symlink(join(outside, 'secret.txt'), join(workspace, 'secret.txt'))
    await shell({ workspace })({ command: 'mkfifo pipe .gitignore' })
    expect(await search({ pattern: 'hit', path: 'a.txt' })).toBe('a.txt\n1:hit')
    expect(await failureOf(search({ pattern: 'hit', path: 'pipe' }))).toBe(
      '"pipe" is a named pipe (FIFO), not a regular file, and was not opened.',
    )
    await shell({ workspace })({ command: 'rm .gitignore' })
    expect(await search({ pattern: 'hit' })).toBe('a.txt\n1:hit')
  })

  test('nothing', async () => {
    const { search } = await inTree({ 'a.txt': 'a\n' })
    expect(await search({ pattern: 'b' })).toBe(nothing)
  })

  test('a cancelled search ends, one that takes too long says so', async () => {
    const { workspace, search } = await inTree({ 'a.txt': 'a\n' })
    expect(await failureOf(search({ pattern: 'a' }, { signal: AbortSignal.abort(new Error('stopped')) }))).toBe('stopped')
    const clock = { now: () => 0, sleep: async () => {} }
    // Of what is not there: how much was found by then is a matter of who is faster.
    expect(await grep({ workspace, ripgrep, clock })({ pattern: 'not there' })).toBe(
      '[The search was ended after 30 s and is not complete. Give a folder as path, or a glob.]',
    )
  })
})

test('a file named .gitignore that is a FIFO does not hold the search that is made without ripgrep', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'hit\n' })
  await shell({ workspace })({ command: 'mkfifo .gitignore' })
  expect(await grep({ workspace, ripgrep: false })({ pattern: 'hit' })).toBe('a.txt\n1:hit')
})

test('a pattern that would take for ever is ended, not waited for', async () => {
  const workspace = await workspaceWith({ 'a.txt': `${'a'.repeat(50)}b\n` })
  expect(await failureOf(grep({ workspace, ripgrep: false })({ pattern: '^(a+)+$' }))).toMatch(/^The pattern takes too long/)
})

test.each([
  [{ limit: 0 }, 'limit must be a whole number from 1 to 1000, got 0.'],
  [{ context: 21 }, 'context must be a whole number from 0 to 20, got 21.'],
])('%j is out of range', async (more, says) => {
  expect(await failureOf(grep({ workspace: await workspaceWith() })({ pattern: 'a', ...more }))).toBe(says)
})
