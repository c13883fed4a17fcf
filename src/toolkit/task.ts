import { InputError } from '../errors.ts'
import type { ModelChoice } from '../models/model.ts'
import { internalsOf } from '../tools/call-internals.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import type { Tool } from '../tools/tool.ts'
import { aFilledText, aFunction, aText, anything, checkOptions, having, isOptions, wholeFrom } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { didYouMean } from '../util/text.ts'
import { placesOf } from './task/places.ts'

/** A kind of sub-agent. What is left out it has of the agent that calls it. */
export type TaskAgent = {
  /** When to take it, for the model. */
  readonly description: string
  /** The model, or its name: `anthropic/claude-haiku-4-5`. */
  readonly model?: ModelChoice | undefined
  /** Names of tools that the calling agent has, or tools. */
  readonly tools?: readonly (string | Tool)[] | undefined
  /** The system prompt. */
  readonly instructions?: string | undefined
}

export type TaskOptions = {
  /** Kinds of sub-agents by their names, which the model may choose from. Default: none, only the calling agent once more. */
  readonly agents?: Readonly<Record<string, TaskAgent>> | undefined
  /** How deep sub-agents may have sub-agents. Default 3. */
  readonly maxDepth?: number | undefined
  /** How many of them, on all levels together, are at work at once. Default 10. */
  readonly maxAtOnce?: number | undefined
  /** Called for each task with the tools that it gets; what it gives back is taken. For tools that keep something of one conversation. */
  readonly renew?: ((tools: readonly Tool[]) => readonly Tool[]) | undefined
}

const rules: RulesOf<TaskOptions> = { agents: anything, maxDepth: wholeFrom(1), maxAtOnce: wholeFrom(1), renew: aFunction }
const agentRules: RulesOf<TaskAgent> = {
  description: aText,
  model: ['a model or its name', (value) => aFilledText[1](value) || having('a model', 'stream')[1](value)],
  tools: [
    'a list of names and tools',
    (value) => Array.isArray(value) && value.every((each) => aText[1](each) || having('a tool', 'run')[1](each)),
  ],
  instructions: aText,
}

type TaskInput = { readonly task: string; readonly agent?: string | undefined }

const description = `Hands a task to a sub-agent: a conversation of its own with the same tools, which knows nothing of this one. It gives back its last words. \
For work that can be told in full and whose way does not matter here: looking through much, or several things at once (call it several times in one message). \
Not for small things.`

/**
 * The tool `task`: hands a task to a sub-agent with a conversation and a state of its own, and with the model and the tools of its kind.
 *
 * Gates, budget, cancel and steps of the calling agent hold in it; questions to people are asked through it; its events come as
 * `agent_event`. At most 3 deep. At most 10 at once: those of the agent itself wait for a place, those of sub-agents are refused
 * without one, for a caller that waits holds a place itself.
 *
 * @throws {InputError} for options that are none.
 */
export function task(options: TaskOptions = {}): Tool<TaskInput> {
  checkOptions('task', options, rules)
  const { agents = {}, maxDepth = 3, maxAtOnce = 10, renew = (tools) => tools } = options
  check(agents)
  const places = placesOf(maxAtOnce)
  const kinds = Object.keys(agents)
  const made = tool({
    name: 'task',
    description:
      kinds.length === 0
        ? description
        : `${description}\nKinds of agents:\n${kinds.map((name) => `- ${name}: ${agents[name]!.description}`).join('\n')}`,
    inputSchema: jsonSchema<TaskInput>({
      type: 'object',
      properties: {
        task: { type: 'string', minLength: 1, description: 'All that is needed to do it, and what the answer must have in it.' },
        ...(kinds.length > 0 && { agent: { type: 'string', enum: kinds, description: 'The kind of agent. Default: one like you.' } }),
      },
      required: ['task'],
    }),
    isConcurrencySafe: true,
    execute: async ({ task: given, agent: kind }, context): Promise<unknown> => {
      if (typeof given !== 'string' || given.trim() === '') throw new Error('The task is empty. Say in full what is to be done.')
      const depth = (internalsOf(context)?.env.subAgents?.depth ?? 0) + 1
      if (depth > maxDepth) throw new Error(`Sub-agents go ${maxDepth} deep, and this is the last. Do the task yourself.`)
      const { model, instructions, tools: chosen } = kindOf(agents, kind)
      const tools = renew(toolsOf(context.agent.tools, chosen))
      const leave = await places.take(depth === 1, context.signal)
      if (!leave) throw new Error(`${maxAtOnce} sub-agents are at work already, which is as many as there may be. Do the task yourself.`)
      try {
        return await context.agent.asTool({ name: 'task', tools, model, instructions }).run({ input: given }, context)
      } finally {
        leave()
      }
    },
  })
  return Object.defineProperty(made, 'passesSteps', { value: true, enumerable: true })
}

function kindOf(agents: Readonly<Record<string, TaskAgent>>, kind: string | undefined): Partial<TaskAgent> {
  const kinds = Object.keys(agents)
  if (kind === undefined || kinds.length === 0) return {}
  const found = Object.hasOwn(agents, kind) ? agents[kind] : undefined
  if (!found) throw new Error(`There is no kind of agent "${kind}".${didYouMean(kind, kinds)} Known: ${kinds.join(', ')}.`)
  return found
}

/** The tools of the calling agent as they are now, or of these the ones that are chosen. */
function toolsOf(registry: ToolRegistry, chosen: readonly (string | Tool)[] | undefined): readonly Tool[] {
  const found = (name: string): Tool => {
    const tool = registry.get(name)
    if (!tool)
      throw new Error(
        `The kind of agent is to have the tool "${name}", and the agent that calls it has none of that name. Take another kind.`,
      )
    return tool
  }
  return (chosen ?? registry.names).map((entry) => (typeof entry === 'string' ? found(entry) : entry))
}

function check(agents: unknown): void {
  if (!isOptions(agents))
    throw new InputError("`agents` must be an object such as { explore: { description: 'Only looks.', tools: ['grep'] } }.")
  for (const [name, agent] of Object.entries(agents as Record<string, Partial<TaskAgent> | undefined>)) {
    if (typeof agent?.description !== 'string' || agent.description.trim() === '')
      throw new InputError(`The kind of agent "${name}" needs a description: the model chooses by it.`)
    checkOptions(`toolkit({ agents.${name} })`, agent, agentRules)
  }
}
