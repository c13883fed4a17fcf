// A printer of events: text as it comes, tools as they run, withdrawn text taken back, cancel after one second.
import { Agent, jsonSchema, tool, type AgentEvent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'

const search = tool({
  name: 'search',
  description: 'Search the catalogue.',
  inputSchema: jsonSchema<{ query: string }>({ type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }),
  isReadOnly: true,
  isConcurrencySafe: true,
  // What is yielded is progress, what is returned is the result.
  async *execute({ query }) {
    yield { found: 0 }
    yield { found: 2 }
    return [`${query} one`, `${query} two`]
  },
})

function show(event: AgentEvent): void {
  switch (event.type) {
    case 'text_delta':
      return void process.stdout.write(event.text)
    case 'message_discarded':
      return console.log('\n(taken back)')
    case 'tool_start':
      return console.log(`● ${event.name} ${JSON.stringify(event.input)}`)
    case 'tool_progress':
      return console.log(`  … ${JSON.stringify(event.value)}`)
    case 'tool_end':
      return console.log(`  ${event.result.status}`)
  }
}

const model = scriptedModel(
  {
    calls: [
      { name: 'search', input: { query: 'tea' } },
      { name: 'search', input: { query: 'cake' } },
    ],
  },
  { text: 'There are two of each.\n' },
)
const agent = new Agent({ model, tools: [search] })
const stream = agent.stream('Tea and cake?', { signal: AbortSignal.timeout(1000) })
for await (const event of stream) show(event)
console.log((await stream.result).usage)
