// Time per tool turn of a conversation that is kept in a file, early and late, and the memory that a long one holds.
//
//   npm run build && node --expose-gc benchmarks/sessions.mjs
//
// Flat means that a turn reads and writes nothing of the turns before it. The quarters of one conversation are compared with each other,
// and each run with a file stands beside one without, so that what else the machine does falls on both.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, jsonSchema, Session, tool } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'

const turns = 2_000
const runs = 5

const work = tool({
  name: 'work',
  description: 'Does the work item i.',
  inputSchema: jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: ({ i }) => `ok:${String(i)} ${'x'.repeat(200)}`,
})

function model(at) {
  let call = 0
  return {
    provider: 'bench',
    id: 'bench',
    async *stream() {
      at[call] = performance.now()
      const last = call >= turns
      yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'some words ' } }
      if (!last) {
        yield { type: 'block_start', index: 1, block: { type: 'tool_use', name: 'work' } }
        yield { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: `{"i":${call}}` } }
        yield { type: 'block_stop', index: 1 }
      }
      call++
      yield { type: 'message_stop', stopReason: last ? 'end_turn' : 'tool_use' }
      yield { type: 'metadata', usage: { inputTokens: 10, outputTokens: 5 } }
    },
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
/** Microseconds of the median turn of a quarter. */
const quarter = (at, which) => {
  const size = turns / 4
  const from = which * size
  return median(Array.from({ length: size }, (_, i) => (at[from + i + 1] - at[from + i]) * 1000))
}
const heap = async () => {
  // What a promise still holds is free in the next turn of the event loop.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

async function play(session) {
  const at = []
  const agent = new Agent({ model: model(at), tools: [work], ...(session && { session }) })
  const before = await heap()
  await agent.invoke('go')
  return { first: quarter(at, 0), last: quarter(at, 3), heap: ((await heap()) - before) / 2 ** 20, messages: agent.messages.length }
}

const dir = await mkdtemp(join(tmpdir(), 'lena-bench-'))
const kept = []
const plain = []
let bytes = 0
let restoring = 0
try {
  for (let run = 0; run <= runs; run++) {
    const session = new Session({ id: `s${run}`, store: fileSessions({ dir }) })
    // In turns the first: what one leaves behind falls on the other.
    const order = run % 2 === 0 ? [session, undefined] : [undefined, session]
    const played = new Map()
    for (const each of order) played.set(each, await play(each))
    const [withFile, without] = [played.get(session), played.get(undefined)]
    // The first run warms the engine up.
    if (run === 0) continue
    kept.push(withFile)
    plain.push(without)
    bytes = (await stat(join(dir, `s${run}.jsonl`))).size
    const begun = performance.now()
    await session.restore()
    restoring = performance.now() - begun
  }
} finally {
  await rm(dir, { recursive: true, force: true })
}

const of = (list, pick) => median(list.map(pick))
const line = (name, list) =>
  `${name}: first quarter ${of(list, ({ first }) => first).toFixed(0)} µs a turn, last ${of(list, ({ last }) => last).toFixed(0)}; ratio ${of(list, ({ first, last }) => last / first).toFixed(2)}` +
  (globalThis.gc ? `; heap ${of(list, ({ heap }) => heap).toFixed(1)} MB` : '')
console.log(`${turns} turns, medians of ${runs} runs, a run with a file beside one without`)
console.log(line('with a session in a file', kept))
console.log(line('without a session', plain))
console.log(`the file: ${(bytes / turns).toFixed(0)} bytes a turn; restored in ${restoring.toFixed(0)} ms`)
