import { AgentError, InputError } from '../errors.ts'
import type { Interrupt } from '../interrupts/interrupt.ts'
import { textOf } from '../messages/content.ts'
import { fromInput } from '../messages/from-input.ts'
import type { Message } from '../messages/message.ts'
import { describe } from '../messages/stored.ts'
import { internalsOf, listenerOf } from '../tools/call-internals.ts'
import type { CallInternals } from '../tools/call-internals.ts'
import type { OutputOptions } from '../output/output-options.ts'
import { outputSpec } from '../output/output-spec.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { defineTool } from '../tools/define-tool.ts'
import { readable } from '../tools/readable.ts'
import type { InferOutput, Schema } from '../tools/standard-schema.ts'
import type { StepRunner } from '../tools/steps.ts'
import { directSteps } from '../tools/steps.ts'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts'
import { reasonOf } from '../util/abort.ts'
import { isObject } from '../util/json.ts'
import type { AgentCore } from './core.ts'
import { forkCore } from './fork.ts'
import { runInvocation } from './invocation.ts'
import { checkModel } from './agent-options.ts'
import { checkInvokeOptions, refuseUnknown } from './invoke-options.ts'
import type { OwnParts } from './own-parts.ts'
import type { ReadInput } from './read-input.ts'
import type { AgentResult } from './result.ts'
import { Run } from './run.ts'

/** Agents that call agents: beyond this something goes round in a circle. */
const maxDepth = 16

export type AsToolOptions<S extends Schema = Schema> = OwnParts & {
  /** Default: the agent's name. */
  readonly name?: string | undefined
  /** What the one who calls it should know. Default: the agent's description. */
  readonly description?: string | undefined
  /** What it is called with. Default: `{ input: string }`. */
  readonly inputSchema?: S | undefined
  /** The prompt that an input stands for. Default: `input.input`, or the input as JSON. */
  readonly prompt?: ((input: InferOutput<S>) => string) | undefined
  /**
   * The answer shall have this shape: a schema, or `{ schema, name?, attempts?, prompt?, mode? }`. It is the structured content of the
   * result, and the result is shown as JSON; one that is no object stands in `{ value }`. Default: the result is a text.
   */
  readonly output?: Schema | OutputOptions | undefined
  /** Milliseconds; none unless given. */
  readonly timeoutMs?: number | undefined
}

const defaultSchema = {
  type: 'object',
  properties: {
    input: { type: 'string', description: 'The task, with all that is needed to do it: nothing of this conversation is known.' },
  },
  required: ['input'],
} as const

/**
 * The tool that hands a task to an agent. Each call is a conversation of its own, so that several run side by side. Budget, cancel
 * and gates of the calling agent hold; questions to people are asked through it; events come as `agent_event`.
 */
export function asTool(core: AgentCore, initial: readonly Message[], options: AsToolOptions = {}): Tool {
  checkAsToolOptions(options)
  const { name = core.handle.name, inputSchema = defaultSchema, prompt = promptOf, timeoutMs } = options
  const description =
    options.description ?? (core.handle.description || `Hands a task to the agent "${core.handle.name}", which answers with a text.`)
  const define = defineTool({ name, description, inputSchema, isConcurrencySafe: true, ...(timeoutMs !== undefined && { timeoutMs }) })
  const tool = define(async (input: unknown, context: ToolContext) =>
    runAsTool(core, initial, promptFor(prompt, input, name), options, context),
  )
  if (options.output !== undefined)
    Object.defineProperty(tool, 'outputSchema', { value: outputSpec(options.output).jsonSchema, enumerable: true })
  return Object.defineProperty(tool, 'passesSteps', { value: true, enumerable: true })
}

const known = ['name', 'description', 'inputSchema', 'prompt', 'output', 'timeoutMs', 'tools', 'model', 'instructions']

/** @throws {InputError} that names the option, what was expected and what came. The tool's own parts are checked where it is made. */
function checkAsToolOptions(options: unknown): void {
  if (!isObject(options))
    throw new InputError(`The options of asTool() must be an object such as { name: "research" }, got ${describe(options)}.`)
  refuseUnknown(options, known, [], 'option of asTool()')
  const { prompt, instructions, tools, model, description } = options
  if (model !== undefined) checkModel(model)
  if (description !== undefined && typeof description !== 'string')
    throw new InputError(`\`description\` of asTool() must be a string, got ${describe(description)}.`)
  if (prompt !== undefined && typeof prompt !== 'function')
    throw new InputError(`\`prompt\` must be a function of the input that gives a text, got ${describe(prompt)}.`)
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new InputError(`\`instructions\` of asTool() must be a string, got ${describe(instructions)}.`)
  if (tools !== undefined && !Array.isArray(tools))
    throw new InputError(`\`tools\` of asTool() must be an array of tools, got ${describe(tools)}.`)
}

function promptFor(prompt: (input: never) => string, input: unknown, name: string): string {
  const said: unknown = prompt(input as never)
  if (typeof said !== 'string') throw new InputError(`The \`prompt\` of the tool ${name} must give a text, got ${describe(said)}.`)
  return said
}

function promptOf(input: unknown): string {
  const { input: text } = input as { readonly input?: unknown }
  return typeof text === 'string' ? text : JSON.stringify(input)
}

async function runAsTool(
  template: AgentCore,
  initial: readonly Message[],
  prompt: string,
  parts: AsToolOptions,
  context: ToolContext,
): Promise<ToolOutcome | string> {
  const inside = internalsOf(context)
  const parent = inside?.env.subAgents
  const callId = context.toolUse.id
  const depth = (parent?.depth ?? 0) + 1
  if (depth > maxDepth)
    throw new AgentError(`Agents call each other ${depth} deep. Does one of them call itself?`, { code: 'agents_too_deep' })
  let run: Run | undefined
  const core = forkCore(template, {
    messages: initial,
    gates: () => parent?.gates() ?? inside?.env.gates() ?? [],
    steps: inside ? below(callId, inside.env.steps) : directSteps,
    conversationId: inside ? `${inside.env.conversationId}>${callId}` : template.ids.next('conversation'),
    keptWith: inside?.env.keptWith,
    run: () => run,
    parts,
    asTool: (fork, options) => asTool(fork, initial, options),
  })
  const stood = parent?.takeChild(callId)
  const input: ReadInput = stood ? { kind: 'resume', ...stood } : { kind: 'messages', messages: fromInput(prompt, core.ids) }
  const { signal, invocationState } = context
  const checked = checkInvokeOptions({ signal, invocationState, budget: parent?.budget, output: parts.output })
  run = new Run(core, { ...checked, depth })
  const emit = parent?.emit
  run.emit = emit ? (event) => emit(callId, event) : listenerOf(context)
  try {
    const result = await runInvocation(run, input)
    if (result.stopReason === 'interrupt') askThrough(result, inside, callId)
    // One that has cancelled itself has not done its task, and says so as any other.
    if (result.stopReason === 'cancelled' && signal.aborted) throw reasonOf(signal)
    return outcomeOf(result, core.handle.name, checked.output)
  } catch (error) {
    // The same engine is that of the run above: what it cannot do here it cannot do there.
    if (run.engineFailure) inside?.env.onEngineFailure(run.engineFailure)
    throw error
  } finally {
    run.dispose()
  }
}

/** Every step of the agent is a step of the whole run, named below the call. */
const below = (callId: string, steps: StepRunner): StepRunner => ({
  concurrency: steps.concurrency,
  run: (step, fn, options) => steps.run({ ...step, name: `${callId}>${step.name}` }, fn, options),
  ...(steps.recorded && { recorded: (step, options) => steps.recorded!({ ...step, name: `${callId}>${step.name}` }, options) }),
})

/** What the agent asks, the calling agent asks; the answers find their way back by the path. */
function askThrough(result: AgentResult, inside: CallInternals | undefined, callId: string): never {
  const parent = inside?.env.subAgents
  if (!parent || inside.env.direct)
    throw new InputError(`The agent asks "${result.interrupts[0]?.name}", but it was called directly: there is no run to interrupt.`, {
      code: 'no_run',
    })
  parent.keepChild(callId, result.checkpoint!)
  const interrupts = result.interrupts.map((interrupt): Interrupt =>
    Object.freeze({ ...interrupt, id: `${callId}>${interrupt.id}`, path: Object.freeze([callId, ...interrupt.path]) }),
  )
  return inside.asking.raiseAll(interrupts)
}

/** An agent that could not do its task has failed as a tool, and what it had said may still help. */
function outcomeOf(result: AgentResult, name: string, asked: OutputSpec | undefined): ToolOutcome | string {
  const { stopReason, text, message } = result
  const isDone = stopReason === 'end_turn' || stopReason === 'stop_sequence'
  if (isDone && !asked) return text
  if (isDone && asked) {
    const output = readable(result.output)
    const structuredContent = asked.isWrapped ? { value: output } : output
    return { status: 'success', content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
  }
  const said = textOf(message).trim()
  const note = `The agent ${name} did not finish: it ended with ${stopReason}.${said ? ` The last that it said: ${said}` : ''}`
  return { status: 'error', content: [{ type: 'text', text: note }] }
}
