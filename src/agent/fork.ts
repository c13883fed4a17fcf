import { Transcript } from '../messages/transcript.ts'
import type { Message } from '../messages/message.ts'
import type { Gate } from '../tools/gate.ts'
import type { Tool } from '../tools/tool.ts'
import type { StepRunner } from '../tools/steps.ts'
import type { AsToolOptions } from './as-tool.ts'
import type { AgentCore } from './core.ts'
import type { AgentHandle } from './handle.ts'
import { ownParts } from './own-parts.ts'
import type { OwnParts } from './own-parts.ts'
import type { Run } from './run.ts'
import { UsedIds } from './used-ids.ts'
import { reasonFor } from '../util/abort.ts'

export type ForkOptions = {
  readonly messages: readonly Message[]
  /** Those that judge before the agent's own, as they are now. */
  readonly gates: () => readonly Gate[]
  readonly steps: StepRunner
  readonly conversationId: string
  readonly keptWith: string | undefined
  /** The run of the fork, once there is one. */
  readonly run: () => Run | undefined
  /** What it does not share. */
  readonly parts: OwnParts
  /** The fork as a tool, in its turn. */
  readonly asTool: (fork: AgentCore, options: AsToolOptions | undefined) => Tool
}

/**
 * The same agent with a conversation of its own: its model, tools, hooks, middleware and plug-ins are shared, its history and its
 * state are not. So several may run side by side. Results of resumed calls are kept with the agent: their keys name the conversation.
 */
export function forkCore(
  core: AgentCore,
  { messages, gates, steps, conversationId, keptWith, run, parts, asTool }: ForkOptions,
): AgentCore {
  const transcript = new Transcript(messages)
  const state = structuredClone(core.state)
  const own = ownParts(core, parts)
  const handle: AgentHandle = {
    name: core.handle.name,
    description: core.handle.description,
    get messages() {
      return transcript.messages
    },
    tools: own.tools ?? core.handle.tools,
    state,
    cancel: (reason = 'cancelled') => run()?.cancel(reasonFor(reason)),
    warn: (code, message) => void run()?.warn(code, message),
    on: (name, fn, options) => core.handle.on(name, fn, options),
    use: (stage, middleware) => core.handle.use(stage, middleware),
    guard: (gate) => core.handle.guard(gate),
    asTool: (options) => asTool(fork, options),
  }
  const fork: AgentCore = {
    ...core,
    ...own,
    handle,
    transcript,
    state,
    // As they are when a call is judged, not when the fork began. One that has both from the same agent is asked once.
    get gates() {
      return [...new Set([...gates(), ...core.gates])]
    },
    steps,
    conversationId,
    keptWith,
    pending: undefined,
    session: undefined,
    log: undefined,
    usedIds: new UsedIds(core.ids, messages),
  }
  return fork
}
