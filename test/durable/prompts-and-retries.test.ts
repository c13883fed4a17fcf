import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { fileJournal } from '../../src/durable/file-journal.ts'
import { OverloadedError } from '../../src/errors.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { autoClock } from '../support/auto-clock.ts'
import { write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

async function journalIn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lena-journal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'run.jsonl')
}

/** One process: a journal on the file, an agent, and a prompt. */
async function once(file: string, prompt: string, steps: readonly ScriptStep[], ran: string[] = []) {
  await using journal = fileJournal({ file })
  const model = scriptedModel(...steps)
  const tools = [write(({ at }, { idempotencyKey }) => (ran.push(`${at} ${idempotencyKey}`), 'written'))]
  const agent = new Agent({ model, tools, steps: journal, retry: { baseMs: 0 }, clock: autoClock() })
  const outcome = await agent.invoke(prompt).then(
    ({ text }) => text,
    (error: { code: string; message: string }) => error.code,
  )
  return { outcome, asked: model.requests.length }
}

describe('a journal', () => {
  it('notices that another prompt is replayed on it, instead of giving the old answer', async () => {
    const file = await journalIn()
    expect(await once(file, 'Pay invoice 12.', [{ text: 'Paid.' }])).toEqual({ outcome: 'Paid.', asked: 1 })
    expect(await once(file, 'Pay invoice 13.', [{ text: 'Paid, too.' }])).toEqual({ outcome: 'journal_parts', asked: 0 })
    expect(await once(file, 'Pay invoice 12.', [])).toEqual({ outcome: 'Paid.', asked: 0 })
  })

  it('gives the answer of the attempt that had one: nothing is asked, and no tool runs, a second time', async () => {
    const file = await journalIn()
    const ran: string[] = []
    const busy: ScriptStep = { error: new OverloadedError('busy') }
    const calls: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }] }
    expect(await once(file, 'Go.', [busy, busy, calls, busy, { text: 'Done.' }], ran)).toEqual({ outcome: 'Done.', asked: 5 })
    expect(await once(file, 'Go.', [], ran)).toEqual({ outcome: 'Done.', asked: 0 })
    expect(ran.length).toBe(1)
  })
})
