// A thread that is held up lets timers come due together, and Node runs them list by list, not in the order of their times.
import { tool } from 'lena-agent'
import { toolConformance } from 'lena-agent/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { onAbort, reasonOf } from '../../../src/util/abort.ts'

const ends = 'a call that is told to end does so in bounded time, and does nothing more behind that'

/** Keeps everything else from running. */
const hold = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

it('what a call does behind its end is seen though the thread is held up while it is waited for', async () => {
  const rows: string[] = []
  const late = tool({
    name: 'write',
    description: 'Writes a row.',
    inputSchema: z.object({ row: z.string() }),
    execute: (_, { signal }) =>
      new Promise<never>((_resolve, reject) => {
        onAbort(signal, () => {
          const timer = setInterval(() => rows.push('late') > 2000 && clearInterval(timer), 5)
          timer.unref()
          reject(reasonOf(signal))
        })
      }),
  })
  const tests: { name: string; fn: () => Promise<void> }[] = []
  let asked = 0
  toolConformance({ test: (name, fn) => void tests.push({ name, fn }) }, () => late, {
    input: { row: 'a' },
    slow: { row: 'a' },
    effects: async () => {
      if (++asked > 1) return rows.length
      // Another timer of the length that the suite waits is due a little earlier than the next row.
      setTimeout(() => {}, 60)
      hold(57)
      // The rows that are due by now.
      await turn()
      await turn()
      setImmediate(() => hold(100))
      return rows.length
    },
  })
  await expect(tests.find(({ name }) => name === ends)?.fn()).rejects.toThrow('what there was when the call had ended')
})
