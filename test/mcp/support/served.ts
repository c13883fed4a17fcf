// A process that serves over its standard input and output.
import { jsonSchema, tool } from 'lena-agent'
import { serveMcp } from 'lena-agent/mcp'

const double = tool({
  name: 'double',
  description: 'Twice a number.',
  inputSchema: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
  isReadOnly: true,
  execute: async ({ n }, { progress }) => {
    await progress(`doubling ${n}`)
    return { status: 'success', content: [{ type: 'text', text: String(2 * n) }], structuredContent: { doubled: 2 * n } } as const
  },
})

const service = await serveMcp({ tools: [double] }, { name: 'doubler', version: '2.0.0', instructions: 'Double numbers.' })
await service.closed
