import { expect, it, onTestFinished } from 'vitest'
import { mcp } from '../../../src/cli/slash/mcp.ts'
import type { Talk } from '../../../src/cli/slash/slash-command.ts'
import { Output } from '../../../src/cli/output.ts'
import { Agent } from '../../../src/index.ts'
import { McpClient } from '../../../src/mcp/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import { oddProgram } from '../../mcp/support/odd.ts'
import { Screen } from '../support/world.ts'

it('/mcp names the tools of each server, and why one cannot be used', { timeout: 60_000 }, async () => {
  const client = (name: string, oddity: Record<string, unknown>): McpClient => {
    const made = new McpClient({ ...oddProgram(oddity), name, prefix: `${name}_`, allow: ['echo', 'env'], failOpen: true })
    onTestFinished(() => made.close())
    return made
  }
  const servers = [client('good', {}), client('bad', { failStart: 'no licence' }), client('none', { tools: [] })]
  const agent = new Agent({ model: scriptedModel({ text: 'Hello.' }), tools: servers })
  onTestFinished(() => agent.close())
  const screen = new Screen(true)
  const warnings: string[] = []
  const talk = {
    agent,
    out: new Output(screen),
    notes: { warn: (text: string) => void warnings.push(text) },
    servers,
    signal: new AbortController().signal,
  }
  await mcp.run(talk as unknown as Talk, '')
  expect(screen.text).toBe(
    `good: 2 tools: good_echo, good_env
bad: cannot be used: The MCP server "bad" could not be started: it ended with exit code 3. It said last:\\nno licence
none: 0 tools
`,
  )
  expect(warnings).toEqual([])
})
