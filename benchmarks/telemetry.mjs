// What it costs to be looked at: runs of 100 tool turns on a model that costs nothing, without telemetry, with telemetry() while no provider is registered,
// with one that keeps the spans, and with a trace file. Interleaved, medians of nine; processor time, because machines are busy.
//
//   npm run build && node --expose-gc benchmarks/telemetry.mjs
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { context } from '@opentelemetry/api'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Agent, jsonSchema, tool } from 'lena-agent'
import { telemetry, traceFile } from 'lena-agent/telemetry'

const turns = 100
const runsEach = 3
const repetitions = 9

const work = tool({
  name: 'work',
  description: 'Does the work item i.',
  inputSchema: jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: ({ i }) => `ok:${String(i)}`,
})

/** 14 words and a call a turn. */
function model() {
  let call = 0
  return {
    provider: 'bench',
    id: 'bench',
    async *stream() {
      const last = call >= turns
      for (let word = 0; word < 14; word++) yield { type: 'block_delta', index: 0, delta: { type: 'text', text: `word${word} ` } }
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

const folder = await mkdtemp(join(tmpdir(), 'lena-bench-'))
let exported = 0
const exporter = {
  export: (spans, done) => {
    exported += spans.length
    done({ code: 0 })
  },
  shutdown: async () => {},
  forceFlush: async () => {},
}
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 100_000 })] })
const manager = new AsyncLocalStorageContextManager()

const variants = [
  { name: 'without telemetry', plugins: () => [] },
  { name: 'without telemetry once more (how much the machine differs from itself)', plugins: () => [] },
  { name: 'no provider', plugins: () => [telemetry({ content: true })] },
  {
    name: 'a provider',
    plugins: () => [telemetry({ tracerProvider })],
    before: () => context.setGlobalContextManager(manager.enable()),
    after: () => context.disable(),
  },
  {
    name: 'a provider, contents',
    plugins: () => [telemetry({ tracerProvider, content: true })],
    before: () => context.setGlobalContextManager(manager.enable()),
    after: () => context.disable(),
  },
  { name: 'a trace file', plugins: () => [traceFile({ path: join(folder, 'trace.jsonl'), maxBytes: 1e10 })] },
]

async function measure({ plugins, before, after }) {
  before?.()
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const from = performance.now()
  for (let run = 0; run < runsEach; run++)
    await new Agent({ model: model(), tools: [work], plugins: plugins() }).invoke('go', { onEvent: () => {} })
  const { user, system } = process.cpuUsage(cpu)
  const wall = performance.now() - from
  after?.()
  return { cpu: (user + system) / (turns * runsEach), wall: (wall * 1000) / (turns * runsEach) }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const measured = variants.map(() => [])
// The first round warms the engine up.
for (let repetition = 0; repetition <= repetitions; repetition++)
  for (const [index, variant] of variants.entries()) {
    const figures = await measure(variant)
    if (repetition > 0) measured[index].push(figures)
  }
await tracerProvider.shutdown()
await rm(folder, { recursive: true })
if (exported === 0) throw new Error('No span was kept.')

for (const [index, { name }] of variants.entries()) {
  // Each against the plain run of its own round, so that what the machine did meanwhile is in both.
  const ratio = (key) => median(measured[index].map((figures, round) => figures[key] / measured[0][round][key])).toFixed(2)
  const figures = (key) => median(measured[index].map((each) => each[key])).toFixed(0)
  const least = (of) => Math.min(...measured[of].map(({ cpu }) => cpu))
  const lowest = `the least ${least(index).toFixed(0)}, ${(least(index) / least(0)).toFixed(2)} ×`
  console.log(
    `${name}: ${figures('cpu')} µs of processor time a turn (${ratio('cpu')} ×; ${lowest}), ${figures('wall')} µs passed (${ratio('wall')} ×)`,
  )
}
