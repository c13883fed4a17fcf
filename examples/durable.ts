// A run that survives its process: what the model said and what the tools did is in a file, and is not done again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, tool } from 'lena-agent'
import { fileJournal } from 'lena-agent/durable'
import { scriptedModel } from 'lena-agent/testing'

const folder = await mkdtemp(join(tmpdir(), 'lena-durable-'))
const file = join(folder, 'order.jsonl')

const order = tool({
  name: 'order',
  description: 'Orders an item.',
  inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  execute: (_input, { idempotencyKey }) => {
    console.log(`Ordered, with the key ${idempotencyKey.replace(/_.*/, '_…')}.`)
    return 'ordered'
  },
})

// The first process: the model calls the tool, and then the process comes to grief.
{
  await using steps = fileJournal({ file })
  const model = scriptedModel({ calls: [{ name: 'order', input: { item: 'tea' } }] }, { error: new Error('The power failed.') })
  await new Agent({ model, tools: [order], steps, retry: false }).invoke('Order tea.').catch((error: Error) => console.log(error.message))
}

// The second one, the same program: the model is asked only what it had not answered, and nothing is ordered again.
{
  await using steps = fileJournal({ file })
  const model = scriptedModel({ text: 'Your tea is ordered.' })
  console.log((await new Agent({ model, tools: [order], steps, retry: false }).invoke('Order tea.')).text)
}
await rm(folder, { recursive: true })
