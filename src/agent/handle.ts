import type { HookEvent, HookName, Stages } from '../hooks/hooks.ts'
import type { Message } from '../messages/message.ts'
import type { Gate } from '../tools/gate.ts'
import type { Tool } from '../tools/tool.ts'
import type { AsToolOptions } from './as-tool.ts'
import type { ToolRegistry } from '../tools/registry.ts'

/** What tools, hooks and plug-ins see of an agent. `Agent` implements it; inner layers know only this. */
export interface AgentHandle {
  readonly name: string
  readonly description: string
  readonly messages: readonly Message[]
  readonly tools: ToolRegistry
  /** JSON that lives with the agent. */
  readonly state: object
  /** Ends the run that is under way; does nothing while the agent is idle. */
  cancel(reason?: string): void
  /** Tells the consumer of the run that is under way, as a `warning` event; does nothing while the agent is idle. */
  warn(code: string, message: string): void
  /** Adds a hook. The function that comes back takes it away. */
  on<K extends HookName>(
    name: K,
    fn: (event: HookEvent<K>) => void | Promise<void>,
    options?: { readonly order?: number | undefined },
  ): () => void
  /** Adds a middleware around a stage; the first added is the outermost. */
  use<K extends keyof Stages>(stage: K, middleware: Stages[K]): () => void
  /** Adds a gate that judges every call last of all, behind hooks and middleware. All gates must allow. */
  guard(gate: Gate): () => void
  /** The tool that hands a task to this agent. Each call is a conversation of its own. */
  asTool(options?: AsToolOptions): Tool
}
