// An agent among the tools of another: two tasks side by side, one budget, and a question that finds its way up and the answer down.
import assert from 'node:assert/strict'
import { Agent, answer, Budget, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

const publish = tool({
  name: 'publish',
  description: 'Puts a text on the web.',
  inputSchema: z.object({ text: z.string() }),
  needsApproval: true,
  execute: ({ text }) => `published "${text}"`,
})

const writer = new Agent({
  name: 'writer',
  description: 'Writes and publishes a text about a subject.',
  model: scriptedModel(
    { calls: [{ name: 'publish', input: { text: 'Tea is good.' } }] },
    { calls: [{ name: 'publish', input: { text: 'Coffee is good, too.' } }] },
    { text: 'It is published.' },
    { text: 'It is published.' },
  ),
  tools: [publish],
})

const editor = new Agent({
  name: 'editor',
  model: scriptedModel(
    {
      calls: [
        { name: 'writer', input: { subject: 'tea' } },
        { name: 'writer', input: { subject: 'coffee' } },
      ],
    },
    { text: 'Both are out.' },
  ),
  // Each call is a conversation of its own. Without options the agent itself would do: `tools: [writer]`.
  tools: [writer.asTool({ inputSchema: z.object({ subject: z.string() }), prompt: ({ subject }) => `Write about ${subject}.` })],
})

const budget = new Budget({ turns: 20 })
const heard = new Set<string>()
const asked = await editor.invoke('Two articles, please.', {
  budget,
  // What happens below comes with the path of calls that leads there.
  onEvent: (event) => {
    if (event.type === 'agent_event') heard.add(`${event.path.length} deep: ${event.event.type}`)
  },
})
assert.equal(asked.stopReason, 'interrupt')
for (const { name, path, toolUse } of asked.interrupts) console.log(name, `${path.length} deep`, toolUse?.input)
assert.ok(heard.has('1 deep: tool_input_delta'))

const result = await editor.invoke(
  asked.interrupts.map((interrupt) => answer(interrupt, true)),
  { budget },
)
console.log(String(result), budget.spent.turns, 'turns')
assert.equal(String(result), 'Both are out.')
