// Work that keeps a processor busy, in a worker thread: other tools go on beside it, and a cancel or a time-out ends it.
// Needs the package tinypool.
import assert from 'node:assert/strict'
import { Agent, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

export const countPrimes = tool({
  name: 'count_primes',
  description: 'How many primes there are below a number.',
  inputSchema: z.object({ below: z.number().int() }),
  outputSchema: z.object({ count: z.number() }),
  isReadOnly: true,
  isConcurrencySafe: true,
  timeoutMs: 60_000,
  worker: new URL('./workers/count-primes.ts', import.meta.url),
})

const model = scriptedModel({ calls: [{ name: 'count_primes', input: { below: 200_000 } }] }, { text: '17,984 primes.' })
const agent = new Agent({ model, tools: [countPrimes] })
const result = await agent.invoke('How many primes are below 200,000?', {
  onEvent: (event) => {
    if (event.type === 'tool_progress') console.log(event.value)
  },
})
console.log(result.stopReason, String(result))
assert.equal(result.stopReason, 'end_turn')

// The function for you: typed by the schemas.
assert.deepEqual(await countPrimes({ below: 200_000 }), { count: 17_984 })
