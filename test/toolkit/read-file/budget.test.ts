import { expect, test } from 'vitest'
import { fileResults, readFile } from 'lena-agent/toolkit'
import { workspaceWith } from '../support/workspace.ts'

/** A hundred lines, each of which takes 1,000 characters with its number, its tab and its end; the last so much more. */
const lines = (more: number): string =>
  Array.from({ length: 100 }, (_, index) => 'x'.repeat(1000 - 2 - String(index + 1).length + (index === 99 ? more : 0))).join('\n')

const last = (said: unknown): string => String(said).split('\n').at(-1)!.slice(0, 60)

test('of a file 100,000 characters are shown, and no line that goes beyond', async () => {
  const workspace = await workspaceWith({ fits: `${lines(0)}\n`, not: `${lines(1)}\n` })
  const read = readFile({ workspace })
  expect([last(await read({ path: 'fits' })), last(await read({ path: 'not' }))]).toEqual([
    `100\t${'x'.repeat(56)}`,
    '[Lines 1-99 of 100. 1 line is left: go on with offset=100.]',
  ])
})

test('of a stored result, too', async () => {
  const workspace = await workspaceWith()
  const results = fileResults({ dir: `${workspace}/results` })
  const read = readFile({ workspace })
  const shown = async (text: string): Promise<string> => {
    const { path } = await results.put({ text, callId: 'call_1', conversationId: 'conv_1' }, { signal: new AbortController().signal })
    return last(await read({ path }))
  }
  expect([await shown(lines(0)), await shown(lines(1))]).toEqual([
    `100\t${'x'.repeat(56)}`,
    '[Lines 1-99 of 100. 1 line is left: go on with offset=100.]',
  ])
})
