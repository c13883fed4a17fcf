// Calls side by side: 50 of 20 ms at once, and one that tells 20,000 times how it goes beside 100 that wait.
//
//   npm run build && node --expose-gc benchmarks/tools.mjs
import { Agent, jsonSchema, tool } from 'lena-agent'

const inputSchema = jsonSchema({ type: 'object', properties: { i: { type: 'number' } } })
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const made = (name, execute) => tool({ name, description: 'Works.', inputSchema, isReadOnly: true, isConcurrencySafe: true, execute })

/** Asks for these calls in one message, then answers. `ended` is when the message was complete. */
function asking(names) {
  const model = {
    provider: 'bench',
    id: 'bench',
    ended: 0,
    next: 0,
    async *stream({ messages }) {
      if (messages.length > 1) {
        model.next = performance.now()
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'done' } }
        yield { type: 'message_stop', stopReason: 'end_turn' }
        return
      }
      for (const [index, name] of names.entries()) {
        yield { type: 'block_start', index, block: { type: 'tool_use', name } }
        yield { type: 'block_delta', index, delta: { type: 'tool_input', text: `{"i":${index}}` } }
        yield { type: 'block_stop', index }
      }
      model.ended = performance.now()
      yield { type: 'message_stop', stopReason: 'tool_use' }
    },
  }
  return model
}

async function gapOf(names, tools, onEvent) {
  const model = asking(names)
  await new Agent({ model, tools, maxConcurrency: 128 }).invoke('go', onEvent && { onEvent })
  return model.next - model.ended
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const fifty = Array.from({ length: 50 }, () => 'work')
const work = made('work', () => sleep(20))
const cold = await gapOf(fifty, [work])
const warm = []
for (let run = 0; run < 15; run++) warm.push(await gapOf(fifty, [work]))
const theyTook = []
for (let run = 0; run < 15; run++) {
  const from = performance.now()
  await Promise.all(fifty.map(() => sleep(20)))
  theyTook.push(performance.now() - from)
}
console.log(
  `50 calls of 20 ms at once: ${median(warm).toFixed(1)} ms (${(median(warm) / 20).toFixed(2)} × ideal; 50 timers alone ${median(theyTook).toFixed(1)} ms); the first in a process ${cold.toFixed(1)} ms`,
)

const ticks = 20_000
let heard = 0
const onEvent = (event) => void (heard += event.type === 'tool_progress' ? 1 : 0)
const ticker = made('tick', async function* () {
  for (let tick = 0; tick < ticks; tick++) yield { tick }
  return 'ticked'
})
const took = async (siblings) => {
  let stop
  const stopped = new Promise((resolve) => (stop = resolve))
  const wait = made('wait', () => stopped)
  const tell = made('tick', async function* (...args) {
    const from = performance.now()
    const result = yield* ticker.run(...args)
    tell.ms = performance.now() - from
    stop()
    return result
  })
  heard = 0
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  await gapOf([...Array.from({ length: siblings }, () => 'wait'), 'tick'], [tell, wait], onEvent)
  if (heard !== ticks) throw new Error(`${heard} of ${ticks} were told`)
  globalThis.gc?.()
  return [tell.ms, (process.memoryUsage().heapUsed - before) / 1e6]
}
const alone = []
const beside = []
await took(0)
for (let run = 0; run < 7; run++) {
  alone.push(await took(0))
  beside.push(await took(100))
}
const [a, b] = [alone, beside].map((runs) => median(runs.map(([ms]) => ms)))
console.log(
  `20,000 progress events: ${a.toFixed(0)} ms alone, ${b.toFixed(0)} ms beside 100 calls that wait (${(b / a).toFixed(2)} ×); the heap kept ${median(beside.map(([, mb]) => mb)).toFixed(1)} MB`,
)
