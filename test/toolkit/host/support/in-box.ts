import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { Agent } from 'lena-agent'
import type { ToolResultBlock } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import type { PermissionOptions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import type { Host, ToolkitOptions } from 'lena-agent/toolkit'
import { hostBehind } from '../../../../examples/container/host.ts'
import { makeBox } from './box.ts'
import type { Box } from './box.ts'

/** What stands in a workspace: texts of files, and where links lead. */
export type Files = Readonly<Record<string, string | { readonly link: string }>>

/** A container for the tests of one `describe`. */
export function inBox() {
  let box: Box
  let host: Host
  let count = 0
  beforeAll(async () => {
    box = await makeBox()
    host = await hostBehind({ command: box.command })
  })
  afterAll(() => box.close())

  /** A workspace in it, which nobody finds under its name outside. */
  const workspaceOf = async (files: Files): Promise<{ readonly workspace: string; readonly outside: string }> => {
    const name = `w${++count}`
    const outside = join(box.outside, name)
    await mkdir(outside)
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(outside, path)), { recursive: true })
      await (typeof content === 'string' ? writeFile(join(outside, path), content) : symlink(content.link, join(outside, path)))
    }
    return { workspace: `/box/${name}`, outside }
  }
  return {
    host: () => host,
    /** What a command says there, run by nobody's tool. */
    async say(cwd: string, command: string): Promise<string> {
      let said = ''
      const request = { command, cwd, env: { PATH: '/usr/bin:/bin' }, timeoutMs: 30_000, signal: new AbortController().signal }
      await host.run({ ...request, onOutput: (text) => (said += text), tellsFolder: false })
      return said
    },
    workspaceOf,
    /** The tools, each called by itself. */
    async kit(files: Files, options: ToolkitOptions = {}) {
      const { workspace, outside } = await workspaceOf(files)
      const tools = toolkit({ host, workspace, ...options })
      const agent = new Agent({ model: scriptedModel(), tools: [tools], retry: false })
      const call = async (name: string, input: object, options: { readonly signal?: AbortSignal } = {}): Promise<string> =>
        textOf(await agent.callTool(name, input as never, options))
      return { workspace, outside, tools, agent, call }
    },
    /** Calls that a gate judges. Gives what came of each, and what was asked. */
    async gated(workspace: string, calls: readonly (readonly [name: string, input: object])[], options: Partial<PermissionOptions> = {}) {
      const asked: string[] = []
      const ask: PermissionOptions['ask'] = ({ tool, reason }) => {
        asked.push(`${tool.name}: ${reason}`)
        return false
      }
      const model = scriptedModel(...calls.map(([name, input]) => ({ calls: [{ name, input: input as never }] })), { text: 'done' })
      const plugins = [permissions({ host, workspace, ask, ...options })]
      const agent = new Agent({ model, tools: [toolkit({ host, workspace })], plugins, retry: false })
      await agent.invoke('go')
      const results = agent.messages.flatMap(({ content }) =>
        content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
      )
      return { results: results.map((result) => `${result.status}: ${textOf(result)}`), asked }
    },
  }
}

const textOf = ({ content }: Pick<ToolResultBlock, 'content'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')
