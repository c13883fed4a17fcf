import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localLookups } from '../../src/host/local-files.ts'
import { shellAccess } from '../../src/toolkit/command/access.ts'
import { callsOf } from '../../src/toolkit/command/calls.ts'
import { nameOf } from '../../src/toolkit/command/words.ts'
import { strange } from '../toolkit/command/corpus-strange.ts'
import { corpus } from '../toolkit/command/corpus.ts'
import { become, noted, tracing } from '../toolkit/command/support/tracing.ts'
import type { Tracing } from '../toolkit/command/support/tracing.ts'

let bash: Tracing
beforeAll(() => void (bash = tracing()))
afterAll(() => bash.remove())

/** What stands in a file is not looked at. */
const runsFile = /x-script/

describe('where bash is strange: what it runs was found, or the judgement says that it cannot tell', () => {
  test('there are many, and none twice', () => {
    expect(strange.length).toBeGreaterThanOrEqual(500)
    expect(new Set([...corpus, ...strange]).size).toBe(corpus.length + strange.length)
  })

  // A command line cannot hold a NUL: the tool refuses it, and the judgement does not take it apart.
  test.each(strange.map((script, index) => [script, index] as const))('%j', { timeout: 60_000 }, async (script, index) => {
    const { calls, isComplete } = callsOf(script)
    const { isOpaque } = shellAccess(script, { look: localLookups, cwd: bash.base, workspace: bash.base, home: bash.base })
    if (script.includes('\0')) return expect(isComplete).toBe(false)
    const found = calls.map(({ words }) => words).filter((words) => words[0]!.isOpen || noted.has(nameOf(words[0])))
    const missed = (await bash.traced(script, index)).filter(
      (argv) => !found.some((words) => become(words, argv) || become([{ ...words[0]!, text: nameOf(words[0]) }, ...words.slice(1)], argv)),
    )
    expect({ script, missed: isComplete && !isOpaque && !runsFile.test(script) ? missed : [] }).toEqual({ script, missed: [] })
  })
})
