import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { programOf } from '../support/program.ts'
import { scratch, toolText, write } from './support.ts'

const program = `
import { toolsFrom } from 'lena-agent/loading'
const provider = toolsFrom(process.argv[2], { watch: true })
const consumer = { name: 'x', toolsChanged() {}, warn: (code, message) => console.log(code, message) }
provider.addConsumer(consumer)
const tools = await provider.loadTools({ signal: new AbortController().signal, warn: consumer.warn })
console.log(tools.map((tool) => tool.name).join())
await provider.removeConsumer(consumer)
console.log('left')
`

// Without a handle of its own the process has nothing to wait for, and ends by itself.
it('a process ends when the last consumer has left', { timeout: 90_000 }, async () => {
  const folder = scratch()
  await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
  const { stdout, stderr } = await promisify(execFile)('node', [await programOf(program), folder], { timeout: 80_000 })
  expect({ stdout, stderr }).toEqual({ stdout: 'weather\nleft\n', stderr: '' })
})
