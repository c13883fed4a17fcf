import { readFile } from 'node:fs/promises'
// A process that serves over its standard input and output.
import { jsonSchema, tool } from 'lena-agent'
import { serveMcp } from 'lena-agent/mcp'

const double = tool({
  name: 'double',
  description: 'Twice a number.',
  inputSchema: jsonSchema<{ n: number; until?: string }>({
    type: 'object',
    properties: { n: { type: 'number' }, until: { type: 'string', description: 'A named pipe that is waited for.' } },
    required: ['n'],
  }),
  isReadOnly: true,
  execute: async ({ n, until }, { progress }) => {
    await progress(`doubling ${n}`)
    if (until !== undefined) await readFile(until)
    return { status: 'success', content: [{ type: 'text', text: String(2 * n) }], structuredContent: { doubled: 2 * n } } as const
  },
})

const service = await serveMcp({ tools: [double] }, { name: 'doubler', version: '2.0.0', instructions: 'Double numbers.' })
await service.closed
