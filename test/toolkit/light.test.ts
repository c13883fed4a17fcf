import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '../package/imports.ts'

test('what talks to the web, runs agents or makes sandboxes is loaded when it is first used', { timeout: 60_000 }, () => {
  const own = new Set(['src/toolkit/index.ts'])
  const outside = new Set<string>()
  for (const path of own) {
    for (const { from, kind } of importsOf(path, readFileSync(path, 'utf8'))) {
      if (kind !== 'value') continue
      if (from.startsWith('.')) own.add(posix.join(posix.dirname(path), from))
      else outside.add(from)
    }
  }
  expect([...own].filter((path) => /\/web\/(?!search\/(duck-duck-go|with-key)\.ts)/.test(path))).toEqual([])
  expect([...own].filter((path) => path.startsWith('src/agent/'))).toEqual([])
  expect([...outside].filter((name) => /^node:(https?|http2|net|tls|dns|zlib|child_process|stream)/.test(name))).toEqual([])
})
