// An agent whose tools work on another machine: files and commands are those of a container. Give the name of one that runs, with bash in it:
//   docker run -d --name box debian sleep infinity
//   node examples/container.ts box
// `podman exec -i`, `kubectl exec -i` and `ssh` (with `joins: true`) lead to machines in the same way.
import assert from 'node:assert/strict'
import { Agent } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit, undoLast } from 'lena-agent/toolkit'
import { hostBehind } from './container/host.ts'

const [name] = process.argv.slice(2)
if (name === undefined) console.log('No container is named: this machine stands for one, behind the command `env`.')
const host = await hostBehind({ command: name === undefined ? ['env'] : ['docker', 'exec', '-i', name] })

// A folder over there.
const workspace = await host.files.realpath('/tmp').then((folder) => `${folder}/lena-container-${process.pid}`)
await host.files.makeFolder(workspace)
const greeting = `${workspace}/greet.sh`
const file = await host.files.create(greeting)
await file.write(new TextEncoder().encode('echo Helo\n'))
await file.close()

async function contentOf(path: string): Promise<string> {
  const opened = await host.files.open(path)
  const bytes = new Uint8Array(Number((await opened.stat()).size))
  await opened.read(bytes, 0)
  await opened.close()
  return new TextDecoder().decode(bytes)
}

// Where a real model would be: model: 'anthropic/claude-sonnet-4-6'.
const model = scriptedModel(
  { calls: [{ name: 'grep', input: { pattern: 'Helo' } }] },
  { calls: [{ name: 'read_file', input: { path: 'greet.sh' } }] },
  { calls: [{ name: 'edit_file', input: { path: 'greet.sh', old: 'Helo', new: 'Hello' } }] },
  { calls: [{ name: 'shell', input: { command: 'bash greet.sh; sleep 60 >/dev/null 2>&1 &' } }] },
  { calls: [{ name: 'write_file', input: { path: '/etc/greeting', content: 'Hello' } }] },
  { text: 'It greets you now. I may not write to /etc.' },
)
const tools = toolkit({ host, workspace })
const gate = permissions({
  host,
  workspace,
  mode: 'accept_edits',
  rules: ['allow shell'],
  // What would be changed outside of the workspace is asked for, as it is here.
  ask: async ({ tool, reason }) => {
    console.log(`? ${tool.name}: ${reason}`)
    return false
  },
})
const agent = new Agent({ model, tools: [tools], plugins: [gate] })

try {
  const result = await agent.invoke('The greeting has a slip. Mend it, and try it.', {
    onEvent: (event) => {
      if (event.type === 'tool_end') console.log(`  ${event.name} ${event.result.status}`)
    },
  })
  console.log(String(result))
  assert.equal(await contentOf(greeting), 'echo Hello\n')

  await undoLast(tools.undo, { host })
  assert.equal(await contentOf(greeting), 'echo Helo\n')
  console.log(`left running over there: ${tools.jobs.list().length}`)
} finally {
  await tools.jobs.end()
  await host.run({
    command: 'rm -r "$PWD"',
    cwd: workspace,
    env: { PATH: host.env['PATH'] ?? '/usr/bin:/bin' },
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: console.error,
    tellsFolder: false,
  })
}
