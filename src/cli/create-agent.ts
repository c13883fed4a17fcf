import { Agent, summarising } from '../index.ts'
import type { MessageInput, Plugin, Session, ToolProvider } from '../index.ts'
import { permissions } from '../permissions/index.ts'
import type { Permissions } from '../permissions/index.ts'
import { agentsFiles } from './agents-files.ts'
import type { Ask } from './ask.ts'
import type { Settings } from './config/load-settings.ts'
import { instructionsFor } from './instructions.ts'
import type { Io } from './io.ts'
import { nestedAgentsFiles } from './nested-agents-files.ts'
import { rememberedRules, rememberRule } from './remembered-rules.ts'
import { toolsChosen } from './tools-chosen.ts'
import type { Toolbox } from './workbench.ts'
import { Workbench } from './workbench.ts'

export type AgentSetup = {
  readonly model: string
  readonly workspace: string
  readonly settings: Settings
  /** Asks a person before a call that may change something. Without it such calls are refused. */
  readonly ask?: Ask | undefined
  /** The MCP servers whose tools it may call. */
  readonly servers?: readonly ToolProvider[] | undefined
  /** Keeps the conversation. */
  readonly session?: Session | undefined
  /** What it works with. Default: of its own, and what its commands have left running ends with it. */
  readonly toolbox?: Toolbox | undefined
  /** The file that what happens is written to. */
  readonly trace?: string | undefined
  /** The history to begin with, where no session has it. */
  readonly messages?: readonly MessageInput[] | undefined
}

export type AgentMade = {
  readonly agent: Agent
  /** The gate, whose mode and rules may change as the conversation goes on. */
  readonly permissions: Permissions
  readonly warnings: readonly string[]
  /** Lets go of all that it holds. */
  close(): Promise<void>
}

/** The agent of the terminal: the tools for work in a folder, behind the permission gate. */
export async function createAgent(
  io: Io,
  { model, workspace, settings, ask, servers = [], session, toolbox, trace, messages }: AgentSetup,
): Promise<AgentMade> {
  const { values } = settings
  const own = toolbox ? undefined : new Workbench(io, workspace, settings)
  const { tools, results, isStored, knowHistory, told } = toolbox ?? own!.toolbox()
  const [{ files, warnings }, remembered] = await Promise.all([agentsFiles(io, workspace, settings), rememberedRules(io, workspace)])
  const gate = permissions({
    mode: values['permissions.mode'],
    rules: [...(values['permissions.rules'] ?? []), ...remembered],
    ask: ask ?? 'refuse',
    workspace,
    isPersisted: isStored,
    remember: (rule) => rememberRule(io, workspace, rule),
  })
  // The gate is asked which files are stored results. The agent has read the history by then, and nobody else needs to.
  const stored: Plugin = {
    name: 'stored_results',
    setup: (agent) => void agent.on('beforeToolCall', () => knowHistory(agent.messages)),
  }
  const plugins: Plugin[] = [gate, stored]
  if (values['instructions.agentsFiles'] !== false) plugins.push(nestedAgentsFiles(io, { workspace, told }))
  // Why something failed is told in words, and nothing else is that was said.
  const content = (name: string, words: unknown): unknown => (name === 'exception.message' ? words : undefined)
  if (trace !== undefined) plugins.push((await import('../telemetry/index.ts')).traceFile({ path: trace, content }))
  const agent = new Agent({
    name: 'lena',
    model: io.modelOf?.(model) ?? model,
    instructions: instructionsFor({ workspace, platform: io.platform, date: dateOf(io.clock.now()), canAsk: ask !== undefined, files }),
    tools: [toolsChosen(tools, settings), ...servers],
    plugins,
    context: summarising(),
    results,
    session,
    messages,
    limits: { turns: values['limits.turns'] },
    clock: io.clock,
    ids: io.ids,
  })
  return {
    agent,
    permissions: gate,
    warnings,
    async close() {
      await agent.close()
      await own?.end()
    },
  }
}

/** The day where the user is: `2026-03-01`. */
function dateOf(now: number): string {
  const date = new Date(now)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
