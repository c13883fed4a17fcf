// Tools from a folder: a file that is changed while the agent is there is loaded again.
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'lena-agent'
import { toolsFrom } from 'lena-agent/loading'
import { scriptedModel } from 'lena-agent/testing'

// A copy beside the originals, so that packages are found from it.
const tools = await mkdtemp(join(import.meta.dirname, '.tools-'))
await cp(join(import.meta.dirname, 'tools'), tools, { recursive: true })

const provider = toolsFrom(tools, { watch: true })
const greet = { calls: [{ name: 'greet', input: { name: 'Ada' } }] }
const agent = new Agent({ model: scriptedModel(greet, { text: 'Done.' }, greet, { text: 'Done.' }), tools: [provider] })

async function answer(): Promise<string> {
  await agent.invoke('Greet Ada.')
  const result = agent.messages.at(-2)?.content[0]
  return result?.type === 'tool_result' && result.content[0]?.type === 'text' ? result.content[0].text : ''
}

try {
  const before = await answer()
  // The agent needs no one to wait for the change, this program does: it listens beside the agent.
  let listener
  const changed = new Promise<void>((resolve) => {
    listener = { name: 'example', toolsChanged: resolve, warn: console.warn }
    provider.addConsumer(listener)
  })
  const file = join(tools, 'greet.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace('Hello', 'Good morning'))
  await changed
  if (listener) await provider.removeConsumer(listener)
  const after = await answer()
  console.log(before, '→', after)
  assert.deepEqual([before, after], ['Hello, Ada!', 'Good morning, Ada!'])
} finally {
  await agent.close()
  await rm(tools, { recursive: true })
}
