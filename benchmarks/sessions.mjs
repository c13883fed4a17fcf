// Time per tool turn of a conversation that is kept in a file, early and late, and the memory that a long one holds.
//
//   npm run build && node --expose-gc benchmarks/sessions.mjs
//
// Flat means that a turn reads and writes nothing of the turns before it. The quarters of one conversation are compared with each other,
// and each run with a file stands beside one without, so that what else the machine does falls on both.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, Session } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { median, toolModel, workTool } from './support/tool-turns.mjs'

const turns = 2_000
const runs = 5

const work = workTool(` ${'x'.repeat(200)}`)
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
  const model = toolModel({ turns, texts: ['some words '], onTurn: (turn) => (at[turn] = performance.now()) })
  const agent = new Agent({ model, tools: [work], ...(session && { session }) })
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
