import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileHistory } from '../../../src/cli/screen/history.ts'

const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'lena-history-')), 'kept', 'history.jsonl')

describe('a history in a file', () => {
  it('is there for the next process, of several lines too, and for the user alone', () => {
    const path = newPath()
    const history = fileHistory(path)
    history.add('one')
    history.add('two\nlines')
    expect(fileHistory(path).entries()).toEqual(['one', 'two\nlines'])
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('is closed to others when it was open', () => {
    const path = newPath()
    fileHistory(path).add('one')
    chmodSync(path, 0o644)
    fileHistory(path).add('two')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it.each<[string, readonly string[], readonly string[]]>([
    ['the same twice', ['a', 'a', 'b', 'a'], ['a', 'b', 'a']],
    ['what begins with a space', [' secret', 'a'], ['a']],
    ['nothing', ['', '\n', 'a'], ['a']],
    ['what is longer than anybody types', ['x'.repeat(10_001), 'a'], ['a']],
  ])('does not keep %s', (_, added, kept) => {
    const path = newPath()
    const history = fileHistory(path)
    for (const text of added) history.add(text)
    expect([history.entries(), fileHistory(path).entries()]).toEqual([kept, kept])
  })

  it('leaves out a line that was cut short, and what is no text', () => {
    const path = newPath()
    fileHistory(path).add('one')
    appendFileSync(path, '{"no":"text"}\n"two"\n"cut sho')
    expect(fileHistory(path).entries()).toEqual(['one', 'two'])
  })

  it('keeps the newest thousand, and its file small', () => {
    const path = newPath()
    fileHistory(path).add('first')
    writeFileSync(path, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''))
    expect(fileHistory(path).entries().length).toBe(1000)
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(1001)
    const history = fileHistory(path)
    history.add('newest')
    expect([history.entries().length, history.entries()[0], history.entries().at(-1)]).toEqual([1000, '1501', 'newest'])
  })

  it('does not follow a link, and does not fail', () => {
    const path = newPath()
    fileHistory(path).add('one')
    const target = join(path, '..', 'elsewhere')
    symlinkSync(target, `${path}.link`)
    const history = fileHistory(`${path}.link`)
    history.add('two')
    expect([history.entries(), existsSync(target)]).toEqual([['two'], false])
    const nowhere = fileHistory(join(path, 'below', 'history.jsonl'))
    nowhere.add('three')
    expect(nowhere.entries()).toEqual(['three'])
  })
})
