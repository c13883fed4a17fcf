import { InputError, ToolNotFoundError, toAgentError, withPartial } from '../errors.ts'
import type { Questions } from '../interrupts/asking.ts'
import type { ToolUseBlock } from '../messages/content.ts'
import { describe } from '../messages/stored.ts'
import { cancelledOutcome } from '../tools/execute.ts'
import { prepareCall, runCall } from '../tools/run-call.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import { settleBounded } from '../util/bounded.ts'
import { freezeOwn, frozenCopy, isObject } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import { beginRecord, endRecord } from './direct-record.ts'
import type { CheckedInvokeOptions } from './invoke-options.ts'
import { checkInvokeOptions, refuseUnknown } from './invoke-options.ts'
import { OutcomeHooks } from './outcome-hooks.ts'
import type { Run } from './run.ts'
import { openLog } from './session-log.ts'
import { toolEnvironment } from './tool-environment.ts'

/** Of a direct call of a tool. */
export type CallOptions = {
  /** Cancels the call: its outcome has the code `cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Put the call into the history, where the model reads of it. Default true. */
  readonly record?: boolean | undefined
  /** One object for the hooks and the tool of this call. */
  readonly invocationState?: Record<string, unknown> | undefined
}

export type DirectCall = {
  readonly name: string
  readonly input: JsonObject
  readonly record: boolean
  readonly options: CheckedInvokeOptions
}

/** @throws {InputError} that says what was expected and what came. */
export function checkDirectCall(name: unknown, input: unknown, options: CallOptions = {}): DirectCall {
  if (typeof name !== 'string') throw new InputError(`The name of a tool must be a string, got ${describe(name)}.`)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InputError(`The options must be an object, got ${describe(options)}.`)
  refuseUnknown(options, ['signal', 'record', 'invocationState'], [], 'option')
  const { record = true, signal, invocationState } = options
  if (typeof record !== 'boolean') throw new InputError(`\`record\` must be true or false, got ${describe(record)}.`)
  if (!isObject(input)) throw new InputError(`The input of a tool must be an object such as { city: 'Tokyo' }, got ${describe(input)}.`)
  return { name, input: ownInput(input, name), record, options: checkInvokeOptions({ signal, invocationState }) }
}

function ownInput(input: object, name: string): JsonObject {
  try {
    return frozenCopy(input, `The input of ${name}`) as JsonObject
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * One call that the program makes, not the model. Whatever happens in it the history stays legal, and has the result.
 *
 * @throws {AgentError} when there is no such tool, or when a hook threw.
 */
export async function callDirectly(run: Run, { name, input, record }: DirectCall): Promise<ToolOutcome> {
  const { core } = run
  await core.prepare(run.signal)
  await openLog(core, run.signal)
  if (run.cancelled) return cancelledOutcome(false)
  const tools = core.tools.current
  const tool = tools.find(name)
  if (!tool) throw notFound(name, tools.names)
  const toolUse: ToolUseBlock = freezeOwn({ type: 'tool_use', id: core.usedIds.fresh.next('call'), name: tool.name, input })
  if (record) await beginRecord(run, toolUse)
  const outcome = await runOne(run, toolUse, tools)
  if (record) await endRecord(run, toolUse, outcome)
  await flush(run)
  if (core.log) await settleBounded(core.log.save(core), run.bound)
  if (!run.failure) return outcome
  const { usage, results } = run
  throw withPartial(run.failure, { text: '', results: [...results.values()], usage, messages: core.transcript.messages })
}

async function runOne(run: Run, toolUse: ToolUseBlock, tools: ToolSet): Promise<ToolOutcome> {
  if (run.cancelled) return cancelledOutcome(false)
  const hooks = new OutcomeHooks(run.core.hooks)
  const env = { ...toolEnvironment(run, run.signal), tools, hooks, direct: true, questions: nobodyToAsk }
  try {
    await runCall(await prepareCall(toolUse, env), env)
  } catch (error) {
    run.fail(toAgentError(error, 'tool_stage_failed', `The call of ${toolUse.name} failed outside the tool`))
  }
  return hooks.outcome ?? cancelledOutcome(false)
}

/** The program that calls a tool directly is there itself: there is no run to end with a question, and none to resume. */
const nobodyToAsk: Questions = {
  answerTo: () => undefined,
  answered: () => 0,
  raise: ({ name }) => {
    throw new InputError(
      `"${name}" was asked in a direct call of a tool, which cannot be interrupted. Let the model call it, or answer in a hook.`,
      {
        code: 'no_run',
      },
    )
  },
  now: () => 0,
}

/** What plug-ins hold back they write with the next run, if not now. */
async function flush(run: Run): Promise<void> {
  try {
    await run.core.flush(run.signal)
  } catch {
    // As in a run it does not undo what has been done; and here no event can tell of it.
  }
}

function notFound(name: string, available: readonly string[]): ToolNotFoundError {
  const there = available.length > 0 ? ` There are: ${available.slice(0, 50).join(', ')}.` : ' There are no tools.'
  return new ToolNotFoundError(`There is no tool "${name}".${didYouMean(name, available)}${there}`, { available })
}
