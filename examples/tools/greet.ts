import { tool } from 'lena-agent'
import { z } from 'zod'

export default tool({
  name: 'greet',
  description: 'Greets somebody.',
  inputSchema: z.object({ name: z.string() }),
  execute: ({ name }) => `Hello, ${name}!`,
})
