// A run in small parts: each could be in another process, which gets nothing but the JSON of the part before.
import assert from 'node:assert/strict'
import type { Checkpoint } from 'lena-agent'
import { Agent, jsonSchema, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'

let charged = 0
const charge = tool({
  name: 'charge',
  description: 'Charges the card of the customer.',
  inputSchema: jsonSchema<{ amount: number }>({ type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }),
  // The key is the same in every process: give it to services that must not act twice.
  execute: ({ amount }, { idempotencyKey }) => {
    charged++
    return `charged ${amount}, key ${idempotencyKey.length > 0}`
  },
})

const model = scriptedModel({ calls: [{ name: 'charge', input: { amount: 5 } }] }, { text: 'Paid.' })
let input: string | Checkpoint = 'Pay the bill.'
for (;;) {
  const agent = new Agent({ model, tools: [charge] })
  const { stopReason, checkpoint, text } = await agent.invoke(input, { checkpointing: true })
  console.log(stopReason, checkpoint?.position ?? text)
  if (!checkpoint) break
  input = JSON.parse(JSON.stringify(checkpoint)) as Checkpoint
}
assert.equal(charged, 1)
model.assertComplete()
