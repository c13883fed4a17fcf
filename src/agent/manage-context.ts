import type { ContextManager, ContextView } from '../context/context-manager.ts'
import { contextWindowOf } from '../context/context-window.ts'
import { estimateFrameTokens, estimateTokens, tokensWith } from '../context/estimate-tokens.ts'
import { sameMessages } from '../context/units.ts'
import { ContextOverflowError, HookError } from '../errors.ts'
import type { AgentError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { settleBounded } from '../util/bounded.ts'
import { onAbort, reasonOf } from '../util/abort.ts'
import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { readerFor } from '../results/read-result.ts'
import { OpenStreams } from './open-streams.ts'
import type { Run } from './run.ts'

/** How often one model call may be tried again with a shorter history. */
export const maxReductions = 3

/** Gives the manager its turn before a request. What it throws is told, and the request goes out as it is. */
export async function manageContext(run: Run): Promise<void> {
  const { context } = run.core
  if (context?.before) await attempt(run, 'tokens', (view) => context.before!(view))
}

/** After an overflow: true when the history is shorter now, and the call is worth another try. */
export async function reduceContext(run: Run, error: AgentError, reductions: number): Promise<boolean> {
  const { context } = run.core
  if (!context || !(error instanceof ContextOverflowError) || reductions >= maxReductions) return false
  return await attempt(run, 'overflow', (view) => context.reduce({ ...view, error }))
}

/** @throws {HookError} when a hook throws. */
async function attempt(
  run: Run,
  reason: HookEvent<'beforeCompaction'>['reason'],
  work: (view: ContextView) => ReturnType<ContextManager['reduce']>,
): Promise<boolean> {
  const view = viewOf(run)
  try {
    return await takeOver(run, view, await bounded(run, () => work(view)), reason)
  } catch (error) {
    if (error instanceof HookError) throw error
    if (run.cancelled) return false
    await run.warn(
      'context_manager_failed',
      `The context manager "${run.core.context?.name}" failed: ${error instanceof Error ? error.message : String(error)}`,
    )
    return false
  }
}

async function bounded(run: Run, work: () => ReturnType<ContextManager['reduce']>): Promise<readonly Message[] | undefined> {
  const settled = await settleBounded(
    Promise.resolve().then(() => work()),
    run.bound,
  )
  if (!settled) throw reasonOf(run.signal)
  if (!settled.ok) throw settled.error
  return settled.value
}

/** Puts the new history in the place of the old one. */
async function takeOver(
  run: Run,
  view: ContextView,
  messages: readonly Message[] | undefined,
  reason: HookEvent<'beforeCompaction'>['reason'],
): Promise<boolean> {
  const agreed = messages && !run.cancelled ? await agree(run, view, messages, reason) : undefined
  if (!agreed) return false
  const { removed, tokensAfter } = replaceHistory(run, view, agreed)
  // A tool that reads what was moved out of the history may be new, and the request that comes names it.
  const { current } = run.core.tools
  run.tools = run.output ? run.output.toolsFor(current) : current
  await run.emit?.({ type: 'compaction', ...run.base, removed, tokensBefore: view.tokens, tokensAfter })
  return true
}

/**
 * What becomes of the history: what the hooks make of what the manager made of it, repaired. `undefined` when it stays as it is; an
 * empty one would lose the question.
 *
 * @throws {HookError} when a hook throws.
 */
export async function agree(
  run: Run,
  view: ContextView,
  messages: readonly Message[],
  reason: HookEvent<'beforeCompaction'>['reason'],
): Promise<readonly Message[] | undefined> {
  const legal = repair(messages, { openCalls: 'keep', ids: run.core.ids })
  if (legal.length === 0 || sameMessages(legal, view.messages)) return undefined
  const { hooks } = run.core
  if (!hooks.has('beforeCompaction')) return legal
  const event = stickyCancel({ ...run.hookBase(), reason, before: view.messages, messages: legal, cancel: undefined })
  await hooks.run('beforeCompaction', event, run.bound)
  if (run.cancelled || event.cancel !== undefined) return undefined
  if (event.messages === legal) return legal
  const changed = historyOfHook(run, event.messages)
  return sameMessages(changed, view.messages) ? undefined : changed
}

/** @throws {HookError} for what is no history, or an empty one. */
function historyOfHook(run: Run, given: readonly Message[]): readonly Message[] {
  let why = 'it is empty. With a `cancel` the history stays as it is.'
  let cause: unknown
  try {
    const messages = repair(given, { openCalls: 'keep', ids: run.core.ids })
    if (messages.length > 0) return messages
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
    cause = error
  }
  throw new HookError(`A beforeCompaction hook set \`messages\` to what is no history: ${why}`, { hook: 'beforeCompaction', cause })
}

/** The count of the provider goes on without what went, until it counts again. */
export function replaceHistory(run: Run, view: ContextView, messages: readonly Message[]): { removed: number; tokensAfter: number } {
  const { transcript } = run.core
  const isCounted = transcript.counted !== undefined
  const tokensAfter = tokensWith(view, messages)
  transcript.reset(messages)
  if (isCounted) transcript.counted = { tokens: tokensAfter, length: messages.length }
  const kept = new Set(messages.map(({ id }) => id))
  return { removed: view.messages.filter(({ id }) => !kept.has(id)).length, tokensAfter }
}

/** What a context manager is shown. */
export function viewOf(run: Run): ContextView {
  const { transcript, system, results, conversationId, keptWith, tools } = run.core
  const { messages, counted } = transcript
  const model = run.model!
  const tokens = counted
    ? counted.tokens + estimateTokens(messages.slice(counted.length), model)
    : estimateTokens(messages, model) + estimateFrameTokens({ system, tools: run.tools.specs }, model)
  return {
    messages,
    tokens,
    contextWindow: contextWindowOf(model),
    model,
    signal: run.signal,
    ids: run.core.ids,
    results: { store: results, conversationId: keptWith ?? conversationId, reader: () => readerFor(results, tools) },
    warn: (message) => run.warn('context_manager_failed', `The context manager "${run.core.context?.name}" failed: ${message}`),
    ask: (model, request, { signal }) => ask(run, model, request, signal),
    spend: (usage, name) => run.addUsage(usage, name),
  }
}

/** A model's stream with the agent's middleware for what the manager asks around it. The signal fires when nobody reads it any more. */
function ask(run: Run, model: Model, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
  const { contextModel: middleware } = run.core.middleware
  if (middleware.length === 0) return model.stream(request, { signal })
  const streams = new OpenStreams()
  onAbort(signal, () => streams.close())
  const innermost = (asked: ModelRequest): AsyncIterable<ModelEvent> => ({
    [Symbol.asyncIterator]: () => {
      if (signal.aborted) throw reasonOf(signal)
      return streams.open(model.stream(asked, { signal }), model)
    },
  })
  return middleware.reduceRight((next, wrap) => (asked) => wrap({ ...run.hookBase(), model, request: asked }, next), innermost)(request)
}
