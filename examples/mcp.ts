// Tools of an MCP server for an agent, and an agent's own tools served to others. Here both sides are one program: with a server
// of others `url` (or `command`, a program to start) is the only line that changes.
import assert from 'node:assert/strict'
import { Agent, jsonSchema, tool } from 'lena-agent'
import { McpClient, serveMcp } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'

const stock = tool({
  name: 'stock',
  description: 'How many of an item are left.',
  inputSchema: jsonSchema<{ item: string }>({ type: 'object', properties: { item: { type: 'string' } }, required: ['item'] }),
  isReadOnly: true,
  execute: async ({ item }, context) => {
    await context.progress(`looking for ${item}`)
    return item === 'tea' ? '12 boxes' : 'none'
  },
})
const service = await serveMcp({ tools: [stock] }, { name: 'shop', transport: { port: 0 } })

const shop = new McpClient({ url: service.url!, name: 'shop', prefix: 'shop_', allow: ['stock'], timeoutMs: 10_000 })
const agent = new Agent({
  model: scriptedModel({ calls: [{ name: 'shop_stock', input: { item: 'tea' } }] }, { text: 'There are 12 boxes of tea.' }),
  tools: [shop],
})
for await (const event of agent.stream('Is there tea?')) {
  if (event.type === 'tool_progress') console.log('…', event.value)
  if (event.type === 'tool_end') console.log(event.name, event.result.content)
  if (event.type === 'invocation_end') {
    console.log(event.result.text)
    assert.equal(event.result.text, 'There are 12 boxes of tea.')
  }
}
console.log(shop.serverInfo)
// With the last of its agents the client lets go of the connection.
await agent.close()
await service.close()
