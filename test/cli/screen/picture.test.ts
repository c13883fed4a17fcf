import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { OutputStream } from '../../../src/cli/io.ts'
import { notesTo } from '../../../src/cli/notes.ts'
import { Output } from '../../../src/cli/output.ts'
import { ScreenRenderer } from '../../../src/cli/screen/screen-renderer.ts'
import { styleFor } from '../../../src/cli/style.ts'
import type { AgentEvent } from '../../../src/index.ts'
import { fakeClock } from '../../../src/testing/index.ts'
import { fc, runs } from '../../support/fast-check.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

const base = { invocationId: 'inv_1', turn: 1 }
const answer = `# 概要 of it

A paragraph of some length with **bold** words, 日本語の文章がここに続きます, an emoji 👩‍👩‍👧 and 👍🏽, e\u0301 accents, and a\ttab.

- one item that is long enough to be wrapped in a narrow window
- 二つ目の項目

\`\`\`ts
const answer\t= 42 // 日本
if (answer) { go('somewhere that is far away from here') }
\`\`\`

> A quote with a verylongwordthatfitsnowhereandmustbebrokensomewhere in it.

The last words.`

type Step =
  | { readonly do: 'text'; readonly size: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'resize'; readonly columns: number }
  | { readonly do: 'call'; readonly lines: number }
  | { readonly do: 'note' }

/** What is on the screen, and was ever, when an answer comes in such steps. */
async function shown(steps: readonly Step[], { columns, rows }: { readonly columns: number; readonly rows: number }) {
  const terminal = new VirtualTerminal(columns, rows)
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      terminal.write(String(chunk))
      done()
    },
  })
  const size = Object.assign(stream, { isTTY: true, columns, rows })
  const out = new Output(size as OutputStream)
  const clock = fakeClock()
  const style = styleFor(size as OutputStream, {})
  const notes = notesTo(out, { style, quiet: false, out })
  const renderer = new ScreenRenderer({ out, style, notes, clock })
  const tell = async (event: object): Promise<void> => void (await renderer.onEvent({ ...base, ...event } as AgentEvent))
  terminal.write('before\n')
  await tell({ type: 'invocation_start' })
  let left = answer
  let calls = 0
  const open = async (): Promise<void> => await tell({ type: 'message_start', messageId: 'm', model: 'x', attempt: 1 })
  await open()
  for (const step of [...steps, { do: 'text', size: Infinity } as const]) {
    switch (step.do) {
      case 'text':
        await tell({ type: 'text_delta', messageId: 'm', blockId: 'b', text: left.slice(0, step.size) })
        left = left.slice(step.size)
        break
      case 'wait':
        await clock.advance(step.ms)
        break
      case 'resize':
        Object.assign(size, { columns: step.columns })
        terminal.resize(step.columns)
        stream.emit('resize')
        break
      case 'call': {
        const callId = `c${++calls}`
        const text = Array.from({ length: step.lines }, (_, index) => `出力 ${index}\tof it`).join('\n')
        await tell({ type: 'tool_start', callId, name: 'shell', input: { command: `echo 日本 ${calls}` }, early: false })
        await tell({ type: 'tool_progress', callId, name: 'shell', value: text })
        await clock.advance(50)
        const result = {
          type: 'tool_result',
          toolUseId: callId,
          status: 'success',
          content: [{ type: 'text', text: `exit_code: 0\n${text}` }],
        }
        await tell({ type: 'tool_end', callId, name: 'shell', result, durationMs: 5, discarded: false })
        break
      }
      case 'note':
        notes.note('A note that somebody else writes.')
    }
  }
  await tell({ type: 'text_end', messageId: 'm', blockId: 'b' })
  await tell({ type: 'message_end', message: { id: 'm' } })
  await renderer.onError()
  out.dispose()
  return terminal
}

const smallSteps: readonly fc.Arbitrary<Step>[] = [
  fc.record({ do: fc.constant('text' as const), size: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 300 }) }),
]
const resizes: fc.Arbitrary<Step> = fc.record({ do: fc.constant('resize' as const), columns: fc.integer({ min: 12, max: 100 }) })

/** All letters in their order, however they are broken into rows. */
const letters = (terminal: VirtualTerminal): string => terminal.text.join('').replaceAll(/[\s•│]/g, '')

describe('the picture', () => {
  it('of an answer is the same however it came, with nothing left of what moved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...smallSteps), { maxLength: 40 }),
        fc.integer({ min: 12, max: 100 }),
        fc.integer({ min: 4, max: 30 }),
        async (steps, columns, rows) => {
          const [once, piecemeal] = [await shown([], { columns, rows }), await shown(steps, { columns, rows })]
          expect(piecemeal.text).toEqual(once.text)
          // Below the text, in whichever row of the screen: what moved may have scrolled it.
          expect({ column: piecemeal.cursor.column, modes: [...piecemeal.modes], unknown: piecemeal.unknown }).toEqual({
            column: 0,
            modes: ['25'],
            unknown: [],
          })
        },
      ),
      runs(40),
    )
  }, 300_000)

  it('has each word once and in order, in a window that changes its size while the answer comes', async () => {
    const whole = letters(await shown([], { columns: 100, rows: 30 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...smallSteps, resizes), { maxLength: 40 }),
        fc.integer({ min: 12, max: 100 }),
        async (steps, columns) => {
          const terminal = await shown(steps, { columns, rows: 30 })
          expect(letters(terminal)).toBe(whole)
          expect([...terminal.modes]).toEqual(['25'])
        },
      ),
      runs(40),
    )
  }, 300_000)

  it('has each call and each note once, between whole parts of the answer', async () => {
    const more: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ do: fc.constant('call' as const), lines: fc.integer({ min: 0, max: 30 }) }),
      fc.constant({ do: 'note' as const }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...smallSteps, more), { maxLength: 25 }),
        fc.integer({ min: 30, max: 100 }),
        async (steps, columns) => {
          const terminal = await shown(steps, { columns, rows: 24 })
          const rows = terminal.text
          const count = (what: Step['do']): number => steps.filter((step) => step.do === what).length
          expect(rows.filter((row) => row.startsWith('✓ shell echo 日本'))).toHaveLength(count('call'))
          expect(rows.filter((row) => row.startsWith('A note that'))).toHaveLength(count('note'))
          expect(rows.filter((row) => /Ctrl-C cancels|^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(row))).toEqual([])
          expect(rows[0]).toBe('before')
        },
      ),
      runs(40),
    )
  }, 300_000)
})
