// A tool that needs a person's leave: the run ends with a question, and goes on with the answer.
import assert from 'node:assert/strict'
import { Agent, answer, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

const remove = tool({
  name: 'remove',
  description: 'Removes a file.',
  inputSchema: z.object({ path: z.string() }),
  needsApproval: true,
  execute: ({ path }) => `removed ${path}`,
})

const model = scriptedModel(
  { calls: ['a.txt', 'b.txt'].map((path) => ({ name: 'remove', input: { path } })) },
  { text: 'Only a.txt is gone.' },
)
const agent = new Agent({ model, tools: [remove] })

const asked = await agent.invoke('Clean up.')
assert.equal(asked.stopReason, 'interrupt')
for (const { name, toolUse } of asked.interrupts) console.log(name, toolUse?.name, toolUse?.input)

// `true`, `false`, or more: a reason, or another input, which is validated again.
const answers = asked.interrupts.map((interrupt) =>
  answer(interrupt, interrupt.toolUse?.input['path'] === 'a.txt' || { approved: false, reason: 'I need it.' }),
)
const result = await agent.invoke(answers)
console.log(result.stopReason, String(result))
assert.equal(result.stopReason, 'end_turn')
