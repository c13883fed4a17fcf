import { toAgentError } from '../errors.ts'
import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import { closingResult } from '../messages/repair.ts'
import { flagsOf, unknownFlags } from '../tools/flags.ts'
import type { CallEnvironment, PreparedCall } from '../tools/run-call.ts'
import { denied, prepareCall, resultOf, runCall } from '../tools/run-call.ts'
import { runSchedule } from '../tools/schedule.ts'
import { sequential } from '../tools/strategies.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import type { JsonValue } from '../util/json.ts'
import type { Run } from './run.ts'
import { ownMessage, storeMessage } from './store-message.ts'
import type { Span } from './trace.ts'

/**
 * Runs the calls of one message and stores their results, in call order, each call with exactly one. Whatever happens in
 * between, every result that there is by then is stored.
 */
export async function runTools(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  run.results.clear()
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
  for (const call of calls) if (!run.results.has(call.id)) run.results.set(call.id, closingResult(call.id, 'cancelled', 'The call was not run: the run ended before it.'))
  await storeMessage(run, ownMessage(run, 'user', calls.map((call) => run.results.get(call.id)!), undefined))
}

async function beforeTools(run: Run, calls: readonly ToolUseBlock[]): Promise<string | undefined> {
  if (!run.core.hooks.has('beforeTools')) return undefined
  const event = stickyCancel({ ...run.hookBase(), calls })
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
  const byId = new Map(calls.map((call) => [call.id, call]))
  const prepared = new Map<string, PreparedCall>()
  const strategy = env.steps.concurrency === 'none' ? sequential : run.core.strategy
  await runSchedule({
    calls: calls.map((call, index) => scheduledCall(run, call, index)),
    strategy,
    maxConcurrency: run.core.maxConcurrency,
    signal: run.signal,
    start: async (scheduled) => {
      try {
        const known = prepared.get(scheduled.id)
        const call = known ?? (await prepareCall(byId.get(scheduled.id)!, env))
        if (!known && call.flags.safe !== scheduled.safe && !call.refused) {
          // A hook changed what will run, and it may not run beside what was allowed for the call as it was.
          prepared.set(scheduled.id, call)
          return { again: { ...scheduled, readOnly: call.flags.readOnly, safe: call.flags.safe } }
        }
        await runCall(call, env)
      } catch (error) {
        run.fail(toAgentError(error, 'tool_stage_failed', `The call of ${scheduled.name} failed outside the tool`))
      }
      return undefined
    },
  })
}

/** What the strategy is told: the flags for the input as the model wrote it. */
function scheduledCall(run: Run, call: ToolUseBlock, index: number): ScheduledCall {
  const tool = run.core.tools.get(call.name)
  const flags = tool && !call.invalidInput ? flagsOf(tool, call.input) : { ...unknownFlags, readOnly: true, safe: true }
  return { id: call.id, index, name: call.name, readOnly: flags.readOnly, safe: flags.safe }
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
    onProgress: ({ toolUse }, value) => run.emit?.({ type: 'tool_progress', ...run.base, callId: toolUse.id, name: toolUse.name, value }),
    onEnd: ({ toolUse }, result, durationMs) => {
      run.metrics.tool(toolUse.name, result.status === 'error', durationMs)
      spans.get(toolUse.id)?.end(run.now(), result.status === 'error' ? (result.code ?? 'tool_error') : undefined)
      return run.emit?.({ type: 'tool_end', ...run.base, callId: toolUse.id, name: toolUse.name, result, durationMs, discarded: false })
    },
    record: (result) => void run.results.set(result.toolUseId, result),
    onLate: ({ toolUse }, { status }) => void run.warn('late_tool_outcome', `The call ${toolUse.id} of ${toolUse.name} ended (${status}) after it was given up; its outcome is not used.`),
    endTurn: (text) => void (run.endTurn ??= { text }),
  }
}
