import { toAgentError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { ToolRegistry, Tools, Undo } from '../tools/registry.ts'
import type { AgentHandle } from './handle.ts'

/** Sets one plug-in up; what a failed setup had added is taken away again, so that the next try starts clean. */
export async function setUp(agent: AgentHandle, tools: Tools, plugin: Plugin): Promise<void> {
  let undo: Undo[] | undefined = []
  const note = (off: Undo): Undo => {
    undo?.push(off)
    return off
  }
  try {
    await plugin.setup(recording(agent, tools, note))
  } catch (error) {
    for (const take of undo.reverse()) take()
    throw toAgentError(error, 'plugin_failed', `The plug-in "${plugin.name}" could not be set up`)
  } finally {
    // The plug-in may go on using the agent that it was given: from now on nothing is noted any more.
    undo = undefined
  }
}

/** The agent, with each tool, hook, middleware and gate that is added noted down. */
function recording(agent: AgentHandle, tools: Tools, note: (off: Undo) => Undo): AgentHandle {
  return {
    get name() {
      return agent.name
    },
    get description() {
      return agent.description
    },
    get messages() {
      return agent.messages
    },
    tools: recordingTools(tools, note),
    state: agent.state,
    cancel: (reason) => agent.cancel(reason),
    warn: (code, message) => agent.warn(code, message),
    on: (name, fn, options) => note(agent.on(name, fn, options)),
    use: (stage, middleware) => note(agent.use(stage, middleware)),
    guard: (gate) => note(agent.guard(gate)),
    asTool: (options) => agent.asTool(options),
  }
}

function recordingTools(tools: Tools, note: (off: Undo) => Undo): ToolRegistry {
  return {
    add: (source) => void note(tools.add(source)),
    replace: (tool) => void note(tools.replace(tool)),
    remove: (name) => {
      const taken = tools.take(name)
      if (taken) note(taken)
      return taken !== undefined
    },
    get: (name) => tools.get(name),
    get names() {
      return tools.names
    },
    get specs() {
      return tools.specs
    },
  }
}
