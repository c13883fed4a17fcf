// Time per tool turn on a model that costs nothing, in one conversation: around turn 100 and around turn 5,000.
//
//   npm run build && node benchmarks/turns.mjs
//
// Flat means that a turn reads, copies and serialises nothing of the turns before it.
import { Agent, jsonSchema, tool } from 'lena-agent'

const turns = 5_000
const window = 90
const at = []

const work = tool({
  name: 'work',
  description: 'Does the work item i.',
  inputSchema: jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: ({ i }) => `ok:${String(i)}`,
})

function model() {
  let call = 0
  return {
    provider: 'bench',
    id: 'bench',
    async *stream() {
      at[call] = performance.now()
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

const around = (turn) => ((at[turn + window] - at[turn - window]) / (2 * window)) * 1000
const medians = []
for (let run = 0; run < 6; run++) {
  await new Agent({ model: model(), tools: [work] }).invoke('go', { onEvent: () => {} })
  // The first run warms the engine up.
  if (run > 0) medians.push([around(100), around(turns - 100)])
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const early = median(medians.map(([value]) => value))
const late = median(medians.map(([, value]) => value))
console.log(
  `around turn 100: ${early.toFixed(0)} µs a turn; around turn ${turns}: ${late.toFixed(0)} µs a turn; ratio ${(late / early).toFixed(2)} (medians of 5 runs)`,
)
