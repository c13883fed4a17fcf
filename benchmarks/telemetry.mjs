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
import { Agent } from 'lena-agent'
import { telemetry, traceFile } from 'lena-agent/telemetry'
import { median, toolModel, workTool } from './support/tool-turns.mjs'

const turns = 100
const runsEach = 3
const repetitions = 9

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
    await new Agent({ model: toolModel({ turns }), tools: [workTool()], plugins: plugins() }).invoke('go', { onEvent: () => {} })
  const { user, system } = process.cpuUsage(cpu)
  const wall = performance.now() - from
  after?.()
  return { cpu: (user + system) / (turns * runsEach), wall: (wall * 1000) / (turns * runsEach) }
}

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
