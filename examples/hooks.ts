// Hooks, middleware and a plug-in: who looks at a run, in which order, and what each may change.
import assert from 'node:assert/strict'
import type { Plugin } from 'lena-agent'
import { Agent, jsonSchema, tool } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'

const order = tool({
  name: 'order',
  description: 'Orders something.',
  inputSchema: jsonSchema<{ item: string; count: number }>({
    type: 'object',
    properties: { item: { type: 'string' }, count: { type: 'number' } },
    required: ['item', 'count'],
  }),
  execute: ({ item, count }) => `ordered ${count} × ${item}`,
})

/** A plug-in adds hooks, middleware, gates and tools, and writes out before a run returns what it holds back. */
function orderBook(lines: string[]): Plugin {
  const held: string[] = []
  return {
    name: 'order book',
    setup(agent) {
      agent.on('afterToolCall', ({ input, result }) => void held.push(`${result.status} ${JSON.stringify(input)}`))
    },
    flush: () => void lines.push(...held.splice(0)),
  }
}

const book: string[] = []
const model = scriptedModel(
  {
    calls: [
      { name: 'order', input: { item: 'tea', count: 1000 } },
      { name: 'order', input: { item: 'whisky', count: 1 } },
    ],
  },
  { text: 'Twenty packets of tea are on their way.' },
  { text: 'Anything else?' },
)
const agent = new Agent({ model, tools: [order], plugins: [orderBook(book)] })

// A hook changes the fields of its event. What is stored stays as the model wrote it.
agent.on('beforeToolCall', (event) => {
  if (event.input['item'] === 'whisky') event.cancel = 'We sell no spirits.'
  else if (Number(event.input['count']) > 20) event.input = { ...event.input, count: 20 }
})
// After the run, whatever its end: `resume` goes on with it, and limits keep counting.
let asked = false
agent.on('afterInvocation', (event) => {
  if (!asked && event.result?.stopReason === 'end_turn') event.resume = 'And then?'
  asked = true
})

// A middleware stands around a stage. What a tool yields and returns passes it.
let milliseconds = 0
agent.use('tool', async function* (call, next) {
  const begun = performance.now()
  const outcome = yield* next(call)
  milliseconds += performance.now() - begun
  return outcome
})

const result = await agent.invoke('A thousand packets of tea, and a whisky.')
console.log(String(result))
console.log(book)
assert.equal(String(result), 'Anything else?')
assert.deepEqual(book, ['success {"item":"tea","count":20}', 'error {"item":"whisky","count":1}'])
assert.ok(milliseconds > 0)
