// Time per tool turn on a model that costs nothing, in one conversation: around turn 100 and around turn 5,000.
//
//   npm run build && node benchmarks/turns.mjs
//
// Flat means that a turn reads, copies and serialises nothing of the turns before it.
import { Agent } from 'lena-agent'
import { median, toolModel, workTool } from './support/tool-turns.mjs'

const turns = 5_000
const window = 90
const at = []

/** Notes when each request was made. */
const model = () => toolModel({ turns, onTurn: (turn) => (at[turn] = performance.now()) })
const around = (turn) => ((at[turn + window] - at[turn - window]) / (2 * window)) * 1000
const medians = []
for (let run = 0; run < 6; run++) {
  await new Agent({ model: model(), tools: [workTool()] }).invoke('go', { onEvent: () => {} })
  // The first run warms the engine up.
  if (run > 0) medians.push([around(100), around(turns - 100)])
}
const early = median(medians.map(([value]) => value))
const late = median(medians.map(([, value]) => value))
console.log(
  `around turn 100: ${early.toFixed(0)} µs a turn; around turn ${turns}: ${late.toFixed(0)} µs a turn; ratio ${(late / early).toFixed(2)} (medians of 5 runs)`,
)
