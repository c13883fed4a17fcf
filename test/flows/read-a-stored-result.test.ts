import { stat } from 'node:fs/promises'
import { fileResults, readFile } from 'lena-agent/toolkit'
import { expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import { collect } from '../../src/testing/collect.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { Agent } from '../../src/agent/agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

refuseUnhandled()

it('5 MB are a reference and 2,000 characters; read_file pages them, and what it reads is never stored again', async () => {
  const workspace = await workspaceWith()
  // An emoji lies across the end of the preview.
  const text = `x${'😀'.repeat(1_250_000)}\n${'y'.repeat(2_500_000)}`
  const results = fileResults({ dir: `${workspace}/results` })
  const read = readFile({ workspace, results })
  let turn = 0
  const agent = new Agent({
    results,
    retry: false,
    tools: [look(() => text), read],
    model: {
      provider: 'scripted',
      id: 'scripted',
      async *stream({ messages }) {
        const shown = JSON.stringify(messages.map(({ content }) => content))
        const path = /persisted-output path=\\"([^"\\]+)\\"/.exec(shown)?.[1]
        const offset = turn === 1 ? 1 : Number(/go on with offset=(\d+)/.exec(shown.slice(shown.lastIndexOf('go on with')))?.[1])
        turn++
        if (turn === 1) yield* eventsOf({ calls: [{ name: 'look', input: { at: 1 } }] })
        else if (turn < 5) yield* eventsOf({ calls: [{ name: 'read_file', input: { path: path!, offset } }] })
        else yield* eventsOf({ text: 'Done.' })
      },
    },
  })
  const { events } = await collect(agent.stream('go'))
  const blocks = agent.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])))
  const [first, ...pages] = blocks.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
  expect(events.flatMap((event) => (event.type === 'result_persisted' ? [event.chars] : []))).toEqual([text.length])
  expect(first!.length).toBeLessThan(3000)
  expect(first).toContain(`x${'😀'.repeat(999)}\n[… ${text.length - 1999} of ${text.length} characters are left out here.]`)
  expect(pages.length).toBe(3)
  const lines = pages.flatMap((page) => page.split('\n').filter((row) => /^\d+\t/.test(row)))
  expect(pages.every((page) => page.length > 30_000 && page.length < 110_000 && !/\p{Surrogate}/u.test(page))).toBe(true)
  expect(lines.map((row) => row.slice(row.indexOf('\t') + 1)).join('')).toBe(
    text.slice(
      0,
      lines.reduce((sum, row) => sum + row.length - row.indexOf('\t') - 1, 0),
    ),
  )
  const path = /path="([^"]+)"/.exec(first!)![1]!
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600')
  expect(check(agent.messages)).toEqual([])
})
