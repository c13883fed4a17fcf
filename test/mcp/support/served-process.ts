// A process that serves: `stdio` or `http`, and `tools` or `agent`. Over HTTP it prints its address.
import { Agent, jsonSchema, tool } from 'lena-agent'
import { serveMcp } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import type { ScriptStep } from 'lena-agent/testing'

const [transport, what] = process.argv.slice(2)
const nothing = jsonSchema<Record<string, never>>({ type: 'object', properties: {} })

const happened = new Set<string>()
const waiting = new Map<string, () => void>()
function note(event: string): void {
  happened.add(event)
  waiting.get(event)?.()
}

const hasHappened = async (event: string): Promise<void> =>
  happened.has(event) ? undefined : new Promise((resolve) => waiting.set(event, resolve))

const add = tool({
  name: 'add',
  description: 'Adds numbers.',
  inputSchema: jsonSchema<{ a: number; b: number }>({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  }),
  isReadOnly: true,
  execute: ({ a, b }) =>
    ({ status: 'success', content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }) as const,
})
const walk = tool({
  name: 'walk',
  description: 'Walks three steps, and is there when somebody has seen it.',
  inputSchema: nothing,
  execute: async (_, { progress }) => {
    for (const step of [1, 2, 3]) await progress({ progress: step, total: 3, message: `step ${step}` })
    await hasHappened('walk was seen')
    return 'There.'
  },
})
const see = tool({ name: 'see', description: 'Sees somebody walk.', inputSchema: nothing, execute: () => note('walk was seen') })
const fail = tool({
  name: 'fail',
  description: 'Fails.',
  inputSchema: nothing,
  execute: () => {
    throw new RangeError('Too far.')
  },
})
const named = jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
const wait = tool({
  name: 'wait',
  description: 'Waits until it is told to stop.',
  inputSchema: named,
  execute: ({ name }, { signal }) => {
    note(`${name} began`)
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        note(`${name} was told to stop`)
        reject(new Error('Stopped.'))
      }),
    )
  },
})
const until = tool({
  name: 'until',
  description: 'Waits until something has happened.',
  inputSchema: jsonSchema<{ event: string }>({ type: 'object', properties: { event: { type: 'string' } }, required: ['event'] }),
  execute: async ({ event }) => {
    await hasHappened(event)
    return event
  },
})
const seen = tool({
  name: 'seen',
  description: 'What has happened.',
  inputSchema: nothing,
  execute: () => [...happened].filter((event) => !event.startsWith('walk')).join(', '),
})

/** Each call of the agent is a call of its tool, and then the number of all calls of the model. */
const calling: ScriptStep = { calls: [{ name: 'add', input: { a: 1, b: 2 } }] }
const counting: ScriptStep = ({ messages }) => ({ text: `${model.requests.length} calls of the model, ${messages.length} messages` })
const model = scriptedModel(...[1, 2, 3, 4].flatMap(() => [calling, counting]))
const agent = new Agent({ name: 'helper', description: 'Helps.', model, tools: [add] })

const served = what === 'agent' ? { agent } : { tools: [add, walk, see, fail, wait, until, seen] }
const service = await serveMcp(served, {
  name: 'second',
  version: '2.0.0',
  instructions: 'Use it well.',
  transport: transport === 'http' ? { port: 0 } : 'stdio',
})
if (service.url !== undefined) console.log(service.url)
await service.closed
