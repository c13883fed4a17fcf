// A provider of one's own: a few lines against a server that speaks server-sent events. Here the server is a local one.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, jsonSchema, tool, type Model, type ModelEvent, type ModelStopReason } from 'lena-agent'
import { httpError, sse } from 'lena-agent/wire'

type Chunk = { text?: string; call?: { n: number; name?: string; args?: string }; stop?: ModelStopReason; tokens?: [number, number] }

function acme(id: string, url: string): Model {
  return {
    provider: 'acme',
    id,
    async *stream({ messages, tools }, { signal }): AsyncGenerator<ModelEvent> {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ id, messages, tools }), signal })
      if (!response.ok) throw await httpError(response, 'acme')
      for await (const { data } of sse(response, { signal, provider: 'acme' })) {
        const chunk = JSON.parse(data) as Chunk
        if (chunk.text !== undefined) yield { type: 'block_delta', index: 0, delta: { type: 'text', text: chunk.text } }
        if (chunk.call?.name) yield { type: 'block_start', index: chunk.call.n + 1, block: { type: 'tool_use', name: chunk.call.name } }
        if (chunk.call?.args) yield { type: 'block_delta', index: chunk.call.n + 1, delta: { type: 'tool_input', text: chunk.call.args } }
        if (chunk.tokens) yield { type: 'metadata', usage: { inputTokens: chunk.tokens[0], outputTokens: chunk.tokens[1] } }
        if (chunk.stop) yield { type: 'message_stop', stopReason: chunk.stop }
      }
    },
  }
}

const answers: Chunk[][] = [
  [
    { call: { n: 0, name: 'price' } },
    { call: { n: 0, args: '{"item":' } },
    { call: { n: 0, args: '"tea"}' } },
    { stop: 'tool_use', tokens: [20, 8] },
  ],
  [{ text: 'Tea is ' }, { text: '3 €.' }, { stop: 'end_turn', tokens: [40, 6] }],
]
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of answers.shift() ?? []) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

const price = tool({
  name: 'price',
  description: 'Price of an item.',
  inputSchema: jsonSchema<{ item: string }>({ type: 'object', properties: { item: { type: 'string' } }, required: ['item'] }),
  isReadOnly: true,
  execute: ({ item }) => (item === 'tea' ? '3 €' : '5 €'),
})
const agent = new Agent({ model: acme('a-1', `http://127.0.0.1:${(server.address() as AddressInfo).port}`), tools: [price] })
const result = await agent.invoke('What is tea?')
server.close()
console.log(result.text, result.usage)
assert.equal(result.text, 'Tea is 3 €.')
