// An agent with one tool, against the built-in offline model: no key, no network.
// With a key, `model: 'openai/gpt-5.4'` is the only line that changes.
import { Agent, jsonSchema, tool } from 'lena-agent'

const listDir = tool({
  name: 'list_dir',
  description: 'List what is in a folder.',
  inputSchema: jsonSchema<{ path?: string }>({ type: 'object', properties: { path: { type: 'string', description: 'default "."' } } }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: async ({ path = '.' }) => {
    const { readdir } = await import('node:fs/promises')
    return (await readdir(path)).join('\n')
  },
})

const agent = new Agent({ model: 'offline', tools: [listDir] })
const result = await agent.invoke('list the files in docs')
console.log(result.stopReason, '\n', String(result))
