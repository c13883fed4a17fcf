import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { Model } from '../../src/models/model.ts'
import { fileSessions } from '../../src/session-stores/file/file-sessions.ts'
import { Session } from '../../src/sessions/session.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import type { Ids } from '../../src/util/ids.ts'
import { look, write } from '../support/tools.ts'

const turns = 2000
const padded = (): Ids => {
  const ids = countingIds()
  return { next: (kind) => ids.next(kind).padEnd(20, '_') }
}

/** Answers each turn with one call, all of them alike. */
const model = (tool: string): Model => {
  let call = 0
  return {
    provider: 'scripted',
    id: 'scripted',
    async *stream() {
      const id = `call_${String(call++).padStart(6, '0')}`
      yield* eventsOf(call > turns ? { text: 'Done.' } : { text: 'word', calls: [{ id, name: tool, input: { at: 1 } }] })
    },
  }
}

describe('two thousand turns with a session in a file', { timeout: 300_000 }, () => {
  it.each([
    ['look', undefined, 3],
    ['write', undefined, 4],
    ['look', { messages: 40 }, 3],
  ])('append the same bytes at each turn: the tool %s, with the window %o', async (tool, window, recordsPerTurn) => {
    const context = window && slidingWindow(window)
    const dir = await mkdtemp(join(tmpdir(), 'lena-turns-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const session = new Session({ id: 's', store: fileSessions({ dir, sync: 'never' }) })
    const agent = new Agent({
      model: model(tool),
      tools: [look(), write()],
      retry: false,
      session,
      context,
      ids: padded(),
      clock: fakeClock(1000),
    })
    await agent.invoke('go', { limits: { turns: turns + 10 } })
    const { records, warnings } = await session.store.load('s', { signal: new AbortController().signal })
    expect(warnings).toEqual([])
    const bytes = (kind: string): readonly number[] =>
      records.filter(({ entry }) => entry.type === kind).map((record) => JSON.stringify(record).length)
    const compactions = records.filter(({ entry }) => entry.type === 'compaction').length
    expect(records.length - compactions).toBe(turns * recordsPerTurn + 2)
    // Messages alternate: what the model said, what the tool gave. Each kind is as long at the end as at the beginning.
    const messages = bytes('message').slice(1, -1)
    expect(new Set(messages).size).toBe(2)
    expect(new Set(bytes('tool_result')).size).toBe(1)
    expect(new Set(bytes('claim')).size).toBe(tool === 'write' ? 1 : 0)
    // A compaction names what stays, whatever has gone before.
    expect(new Set(bytes('compaction').slice(1)).size).toBe(context ? 1 : 0)
    expect(compactions).toBe(context ? 331 : 0)
    const file = await readFile(join(dir, 's.jsonl'), 'utf8')
    expect(file.length).toBeLessThan(records.reduce((sum, record) => sum + JSON.stringify(record).length + 3, 200))
    expect((await session.restore()).messages).toEqual(agent.messages)
  })
})
