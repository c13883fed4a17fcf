// An agent of twenty turns on a journal. It writes down each effect, and says each point at which it may be killed.
import { appendFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileJournal } from '../../../src/durable/index.ts'
import { Agent } from '../../../src/agent/agent.ts'
import type { Model } from '../../../src/models/model.ts'
import { eventsOf } from '../../../src/testing/scripted-model.ts'
import { tool } from '../../../src/tools/tool.ts'

const [dir, stop] = process.argv.slice(2) as [string, string]
const turns = 20
let points = 0
function point(): void {
  writeSync(1, 'point\n')
  if (++points < Number(stop)) return
  // Here it stands until it is killed. Nobody does: who should have is no more.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
  process.exit(1)
}

const model: Model = {
  provider: 'scripted',
  id: 'scripted',
  async *stream({ messages }) {
    appendFileSync(join(dir, 'asked'), `model:${messages.length}\n`)
    point()
    const turn = messages.filter(({ role }) => role === 'assistant').length
    await sleep(1)
    const calls = turn % 4 === 3 ? [turn, turn + 100] : [turn]
    yield* eventsOf(turn < turns ? { calls: calls.map((at) => ({ name: 'act', input: { at } })) } : { text: 'Done.' })
    point()
  },
}

const act = tool({
  name: 'act',
  description: 'Does it.',
  inputSchema: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
  isConcurrencySafe: true,
  execute: async (input, { idempotencyKey, toolUse }) => {
    point()
    appendFileSync(join(dir, 'done'), `${(input as { at: number }).at} tool:${toolUse.id} ${idempotencyKey}\n`)
    point()
    await sleep(1)
    return 'acted'
  },
})

await using journal = fileJournal({ file: join(dir, 'journal.jsonl') })
const { text } = await new Agent({ model, tools: [act], steps: journal, limits: { turns: 100 } }).invoke('go')
writeSync(1, `${text}\n`)
