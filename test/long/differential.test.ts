import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf } from '../../src/toolkit/command/calls.ts'
import { corpus } from '../toolkit/command/corpus.ts'
import { become, noted, tracing } from '../toolkit/command/support/tracing.ts'
import type { Tracing } from '../toolkit/command/support/tracing.ts'

let bash: Tracing
beforeAll(() => void (bash = tracing()))
afterAll(() => bash.remove())

// Where bash is strange: `test/long/strange-commands.test.ts`.
describe('what the parser finds is what bash runs', () => {
  test('the corpus is as large as the page on permissions says', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300)
    expect(new Set(corpus).size).toBe(corpus.length)
  })

  test.each(corpus.map((script, index) => [script, index] as const))('%j', { timeout: 60_000 }, async (script, index) => {
    const started = [...(await bash.traced(script, index))]
    const { calls, isComplete } = callsOf(script)
    expect(isComplete).toBe(true)
    const found = calls.map(({ words }) => words).filter((words) => noted.has(words[0]!.text))
    // Functions of a script have the names of stubs, too; bash calls those without starting anything.
    const functions = new Set([...script.matchAll(/(?:function )?\b([fgN]) ?(?:\(\)|\{)/g)].map(([, name]) => name!))
    const missing = found.filter((words) => {
      if (functions.has(words[0]!.text)) return false
      const at = started.findIndex((argv) => become(words, argv))
      if (at >= 0) started.splice(at, 1)
      return at < 0
    })
    expect({ foundButNotRun: missing.map((words) => words.map(({ text }) => text)), runButNotFound: started }).toEqual({
      foundButNotRun: [],
      runButNotFound: [],
    })
  })
})
