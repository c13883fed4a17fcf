import { callable, traitNames, withProperties } from '../../tools/define-tool.ts'
import type { Tool, ToolContext } from '../../tools/tool.ts'
import { validateJsonSchema } from '../../tools/validate-json-schema.ts'
import { valueOf } from '../../tools/value-of.ts'
import { settle } from '../../util/abort.ts'
import type { JsonValue } from '../../util/json.ts'
import type { Input, ToolEnd } from './entries.ts'
import { recordError, reviveError } from './recorded-error.ts'
import { endOf } from './recorded-result.ts'
import { applyChange, watchState } from './recorded-state.ts'
import type { Tape } from './tape.ts'

export type ToolTaping = {
  readonly tape: Tape
  readonly nextRun: () => number
  /** In a replay: is this tool really run, and held against the cassette? */
  readonly isLive: (name: string) => boolean
}

/** The tool, written down or given again. An agent's tool is itself: its parts are recorded, and so are all of its events. */
export function recordedTool<T extends Tool>(tool: T, taping: ToolTaping): T {
  if (tool.passesSteps) return tool
  const { name, description, inputSchema } = tool
  const run = (input: unknown, context: ToolContext): Promise<unknown> => runTool(tool, input, context, taping)
  const properties: Record<string, unknown> = { name, description, inputSchema, validate: checkOf(tool, taping.tape), run }
  for (const key of [...traitNames, 'outputSchema'] as const) {
    const value: unknown = tool[key]
    // A class may read its own fields there.
    if (value !== undefined) properties[key] = typeof value === 'function' ? (value as () => unknown).bind(tool) : value
  }
  return withProperties(typeof tool === 'function' ? callable(name, run) : {}, properties) as T
}

/** Checking takes its time, above all at first, when the validator is loaded. So when it ends is an input of the run. */
function checkOf(tool: Tool, tape: Tape): NonNullable<Tool['validate']> {
  let count = 0
  return async (input) => {
    const check = ++count
    const result = await (tool.validate ? tool.validate(input) : validateJsonSchema(tool.inputSchema, input))
    await tape.input({ type: 'tool_checked', name: tool.name, check })
    return result
  }
}

async function runTool(tool: Tool, input: unknown, context: ToolContext, { tape, nextRun, isLive }: ToolTaping): Promise<unknown> {
  const { name } = tool
  const given = jsonOf(input)
  const start = {
    type: 'tool_start',
    run: nextRun(),
    name,
    callId: context.toolUse.id,
    ...(given !== undefined && { input: given }),
  } as const
  const { run } = tape.mark(start)
  return tape.mode === 'record' || isLive(name) ? await runLive(tool, input, context, tape, run) : await runAgain(context, tape, run)
}

async function runLive(tool: Tool, input: unknown, context: ToolContext, tape: Tape, run: number): Promise<unknown> {
  let question: unknown
  const own: ToolContext = Object.defineProperties({} as ToolContext, Object.getOwnPropertyDescriptors(context))
  const parts: Pick<ToolContext, 'progress' | 'endTurn' | 'interrupt'> = {
    progress: async (value) => {
      await tape.input({ type: 'tool_progress', run, value })
      await context.progress(value)
    },
    endTurn: (text) => {
      tape.note({ type: 'tool_end_turn', run, ...(text !== undefined && { text }) })
      context.endTurn(text)
    },
    interrupt: <T>(request: Parameters<ToolContext['interrupt']>[0]): T => {
      try {
        const answer = context.interrupt(request)
        tape.note({ type: 'tool_interrupt', run, request, answer })
        return answer as T
      } catch (error) {
        tape.note({ type: 'tool_interrupt', run, request })
        question = error
        throw error
      }
    },
  }
  for (const [key, value] of Object.entries(parts)) Object.defineProperty(own, key, { value, enumerable: true })
  const changeOf = watchState(context.state)
  const end = (what: ToolEnd): Promise<void> => {
    const state = changeOf()
    return tape.input({ type: 'tool_end', run, ...what, ...(state && { state }) })
  }
  let value: unknown
  try {
    value = await valueOf(tool.run(input, own), own, own.signal)
  } catch (error) {
    await end(question !== undefined && error === question ? { interrupted: true } : { error: recordError(error, tool.errorStack) })
    throw error
  }
  await end(endOf(value))
  return value
}

async function runAgain(context: ToolContext, tape: Tape, run: number): Promise<unknown> {
  let question: unknown
  for (;;) {
    const input = await tape.take(`tool run ${run}`)
    switch (input.type) {
      case 'tool_progress':
        void settle(context.progress(input.value))
        break
      case 'tool_end_turn':
        context.endTurn(input.text)
        break
      case 'tool_interrupt':
        question = ask(context, tape, input)
        break
      case 'tool_end': {
        if (input.state) applyChange(context.state, input.state)
        if (input.interrupted) throw question
        if (input.error) throw reviveError(input.error)
        return input.outcome ?? input.value
      }
      default:
        throw new TypeError(`the cassette has ${input.type} for a tool`)
    }
  }
}

/** What the question throws while nobody has answered. The answer must be the one that was recorded: the tool went on from that. */
function ask(context: ToolContext, tape: Tape, recorded: Input & { type: 'tool_interrupt' }): unknown {
  const { type, run, request } = recorded
  let answer: JsonValue
  try {
    answer = context.interrupt(request)
  } catch (error) {
    tape.compare(recorded, { type, run, request })
    return error
  }
  tape.compare(recorded, { type, run, request, answer })
  return undefined
}

/** `undefined` where JSON cannot carry it. */
function jsonOf(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
  } catch {
    return undefined
  }
}
