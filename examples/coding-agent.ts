// An agent that works in a folder: it reads at once, asks before it changes something, and every change can be taken back.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit, undoLast } from 'lena-agent/toolkit'

const workspace = await mkdtemp(join(tmpdir(), 'coding-agent-'))
await writeFile(join(workspace, 'greet.js'), "console.log('Helo')\n")

// Where a real model would be: model: 'anthropic/claude-sonnet-4-6'.
const model = scriptedModel(
  { calls: [{ name: 'read_file', input: { path: 'greet.js' } }] },
  { calls: [{ name: 'edit_file', input: { path: 'greet.js', old: 'Helo', new: 'Hello' } }] },
  { calls: [{ name: 'shell', input: { command: 'node greet.js' } }] },
  { calls: [{ name: 'shell', input: { command: 'git push --force' } }] },
  { text: 'It greets you now. I may not push.' },
)

// With `sandbox: true` commands could write in the workspace alone, and reach no network.
const tools = toolkit({ workspace })
const gate = permissions({
  workspace,
  rules: ['allow shell(node greet.js)', 'deny shell(git push*)'],
  // A person would be asked here; what only reads, and what the rules allow, is not asked for.
  ask: async ({ tool, reason }) => {
    console.log(`? ${tool.name}: ${reason}`)
    return true
  },
})
const agent = new Agent({ model, tools: [tools], plugins: [gate] })

const result = await agent.invoke('The greeting has a slip. Mend it, try it, push it.', {
  onEvent: (event) => {
    if (event.type === 'tool_end') console.log(`  ${event.name} ${event.result.status}`)
  },
})
console.log(String(result))
assert.equal(await readFile(join(workspace, 'greet.js'), 'utf8'), "console.log('Hello')\n")

await undoLast(tools.undo)
await tools.jobs.end()
assert.equal(await readFile(join(workspace, 'greet.js'), 'utf8'), "console.log('Helo')\n")
