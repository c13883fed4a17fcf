import { toAgentError } from '../errors.ts'
import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import { closingResult } from '../messages/repair.ts'
import { flagsOf, unknownFlags } from '../tools/flags.ts'
import type { CallEnvironment, PreparedCall } from '../tools/call-environment.ts'
import { denied } from '../tools/execute.ts'
import { prepareCall, resultOf, runCall } from '../tools/run-call.ts'
import { readable } from '../tools/readable.ts'
import { runSchedule } from '../tools/schedule.ts'
import { sequential } from '../tools/strategies.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import { settle } from '../util/abort.ts'
import { freezeOwn, frozenCopy } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import type { Run } from './run.ts'
import { ownMessage, storeMessage } from './store-message.ts'
import type { Span } from './trace.ts'

/**
 * Runs the calls of one message and stores their results, in call order, each call with exactly one. Whatever happens in
 * between, every result that there is by then is stored.
 */
export async function runTools(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  try {
    if (run.cancelled) return
    const refusal = await beforeTools(run, calls)
    if (refusal === undefined) await runCalls(run, calls)
    else for (const call of calls) run.results.set(call.id, resultOf(call.id, denied(refusal)))
  } finally {
    await storeResults(run, calls)
  }
  await afterTools(
    run,
    calls.map((call) => run.results.get(call.id)!),
  )
}

/** One user message with a result for every call. Used on every way out of a turn. */
export async function storeResults(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  for (const call of calls)
    if (!run.results.has(call.id))
      run.results.set(call.id, closingResult(call.id, 'cancelled', 'The call was not run: the run ended before it.'))
  await storeMessage(
    run,
    ownMessage(
      run,
      'user',
      calls.map((call) => run.results.get(call.id)!),
      undefined,
    ),
  )
}

async function beforeTools(run: Run, calls: readonly ToolUseBlock[]): Promise<string | undefined> {
  if (!run.core.hooks.has('beforeTools')) return undefined
  const event = stickyCancel({ ...run.hookBase(), calls: Object.freeze([...calls]) })
  await run.core.hooks.run('beforeTools', event, run.bound)
  return event.cancel
}

async function afterTools(run: Run, results: readonly ToolResultBlock[]): Promise<void> {
  if (!run.core.hooks.has('afterTools')) return
  const event: HookEvent<'afterTools'> = { ...run.hookBase(), results, endTurn: false }
  await run.core.hooks.run('afterTools', event, run.bound)
  const ended = endTurnOf(event)
  if (ended) run.endTurn = ended
}

function endTurnOf({ endTurn }: HookEvent<'afterTools'>): { readonly text: string | undefined } | undefined {
  if (endTurn === false) return undefined
  if (endTurn === true) return { text: undefined }
  return { text: typeof endTurn === 'string' ? endTurn : textOf(endTurn) }
}

async function runCalls(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  const env = environmentOf(run)
  const strategy = env.steps.concurrency === 'none' ? sequential : run.core.strategy
  const prepare = preparation(calls, env)
  await runSchedule({
    calls: calls.map((call, index) => scheduledCall(run, call, index)),
    strategy,
    maxConcurrency: run.core.maxConcurrency,
    signal: run.signal,
    start: async (scheduled) => {
      try {
        const prepared = await prepare(scheduled)
        if ('again' in prepared) return prepared
        await runCall(prepared, env)
      } catch (error) {
        run.fail(toAgentError(error, 'tool_stage_failed', `The call of ${scheduled.name} failed outside the tool`))
      }
      return undefined
    },
  })
}

/**
 * Brings a call behind its hooks, which may change what will run. When that may not run beside what was allowed for the call
 * as it was, the call goes back to the schedule with its new flags, and with it those behind it that have not begun: no call
 * overtakes an unsafe one before it.
 */
function preparation(
  calls: readonly ToolUseBlock[],
  env: CallEnvironment,
): (scheduled: ScheduledCall) => Promise<PreparedCall | { readonly again: ScheduledCall }> {
  const known = new Map<number, PreparedCall>()
  const under = new Map<number, Promise<unknown>>()
  const gone = new Set<number>()
  return async (scheduled) => {
    const { index } = scheduled
    gone.delete(index)
    const prepared = known.get(index)
    // Once is enough: a strategy of the user's may want it so.
    if (prepared) return prepared
    const preparing = prepareCall(calls[index]!, env)
    under.set(index, settle(preparing))
    const call = await preparing
    known.set(index, call)
    under.delete(index)
    const { safe, readOnly } = call.flags
    if (safe !== scheduled.safe && !call.refused) {
      gone.add(index)
      return { again: { ...scheduled, readOnly, safe } }
    }
    await Promise.all([...under].flatMap(([other, ended]) => (other < index ? [ended] : [])))
    return [...gone].some((other) => other < index) ? { again: scheduled } : call
  }
}

/** What the strategy is told: the flags for the input as the model wrote it. */
function scheduledCall(run: Run, call: ToolUseBlock, index: number): ScheduledCall {
  const tool = run.core.tools.get(call.name)
  const flags = tool && !call.invalidInput ? flagsOf(tool, call.input) : { ...unknownFlags, readOnly: true, safe: true }
  return { id: call.id, index, name: call.name, readOnly: flags.readOnly, safe: flags.safe }
}

/** What a tool tells of its progress, as data that it cannot change any more. */
function progressOf(value: JsonValue): JsonValue {
  try {
    return frozenCopy(value) ?? null
  } catch {
    return freezeOwn(readable(value))
  }
}

function environmentOf(run: Run): CallEnvironment {
  const { core } = run
  const spans = new Map<string, Span>()
  return {
    agent: core.handle,
    tools: core.tools,
    hooks: core.hooks,
    middleware: core.middleware,
    gates: core.gates,
    steps: run.options.steps ?? core.steps,
    clock: core.clock,
    signal: run.signal,
    bound: run.bound,
    conversationId: core.conversationId,
    hookBase: () => run.hookBase(),
    state: core.state as Record<string, JsonValue>,
    invocationState: run.invocationState,
    onStart: ({ toolUse, input }) => {
      const span = run.turnSpan?.child('tool', toolUse.name, run.now())
      if (span) spans.set(toolUse.id, span)
      return run.emit?.({ type: 'tool_start', ...run.base, callId: toolUse.id, name: toolUse.name, input, early: false })
    },
    onProgress: ({ toolUse }, value) =>
      run.emit?.({ type: 'tool_progress', ...run.base, callId: toolUse.id, name: toolUse.name, value: progressOf(value) }),
    onEnd: ({ toolUse }, result, durationMs) => {
      run.metrics.tool(toolUse.name, result.status === 'error', durationMs)
      spans.get(toolUse.id)?.end(run.now(), result.status === 'error' ? (result.code ?? 'tool_error') : undefined)
      return run.emit?.({ type: 'tool_end', ...run.base, callId: toolUse.id, name: toolUse.name, result, durationMs, discarded: false })
    },
    record: (result) => void run.results.set(result.toolUseId, result),
    onLate: ({ toolUse }, { status }) =>
      void run.warn(
        'late_tool_outcome',
        `The call ${toolUse.id} of ${toolUse.name} ended (${status}) after it was given up; its outcome is not used.`,
      ),
    endTurn: (text) => void (run.endTurn ??= { text }),
  }
}
