// The ten lines of the README, run against a scripted model so that they run anywhere.
import assert from 'node:assert/strict'
import { Agent, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city.',
  inputSchema: z.object({ city: z.string().describe('for example Tokyo') }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: ({ city }) => `${city}: 22 °C`,
})

// A tool is a function too: straight to `execute`.
assert.equal(weather({ city: 'Oslo' }), 'Oslo: 22 °C')

const model = scriptedModel({ calls: [{ name: 'weather', input: { city: 'Tokyo' } }] }, { text: 'Yes, it is 22 °C in Tokyo.' })
const agent = new Agent({ model, tools: [weather] })
const result = await agent.invoke('Is it warm in Tokyo?') // model → tool → model
console.log(result.stopReason, String(result))
assert.equal(result.stopReason, 'end_turn')
