import type { ContextManager, ContextView } from '../context/context-manager.ts'
import { estimateTokens } from '../context/estimate-tokens.ts'
import { ContextOverflowError } from '../errors.ts'
import type { AgentError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { settleBounded } from '../util/bounded.ts'
import { reasonOf } from '../util/abort.ts'
import type { Run } from './run.ts'

/** How often one model call may be tried again with a shorter history. */
export const maxReductions = 3

/** Assumed of a model that does not say. */
const defaultWindow = 200_000

/** Gives the manager its turn before a request. What it throws is told, and the request goes out as it is. */
export async function manageContext(run: Run): Promise<void> {
  const { context } = run.core
  if (!context?.before) return
  const view = viewOf(run)
  try {
    await takeOver(run, view, await bounded(run, () => context.before!(view)))
  } catch (error) {
    if (run.cancelled) return
    await run.warn(
      'context_manager_failed',
      `The context manager "${context.name}" failed: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** After an overflow: true when the history is shorter now, and the call is worth another try. */
export async function reduceContext(run: Run, error: AgentError, reductions: number): Promise<boolean> {
  const { context } = run.core
  if (!context || !(error instanceof ContextOverflowError) || reductions >= maxReductions) return false
  const view = viewOf(run)
  try {
    return await takeOver(run, view, await bounded(run, () => context.reduce({ ...view, error })))
  } catch (thrown) {
    if (run.cancelled) return false
    await run.warn(
      'context_manager_failed',
      `The context manager "${context.name}" failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
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

/** Puts the new history in the place of the old one. An empty one would lose the question. */
async function takeOver(run: Run, before: ContextView, messages: readonly Message[] | undefined): Promise<boolean> {
  if (!messages || run.cancelled) return false
  const legal = repair(messages, { openCalls: 'keep', ids: run.core.ids })
  if (legal.length === 0) return false
  const same = legal.length === before.messages.length && legal.every((message, i) => message === before.messages[i])
  if (same) return false
  run.core.transcript.reset(legal)
  const kept = new Set(legal.map(({ id }) => id))
  const removed = before.messages.filter(({ id }) => !kept.has(id)).length
  await run.emit?.({ type: 'compaction', ...run.base, removed, tokensBefore: before.tokens, tokensAfter: tokensAfter(before, legal) })
  return true
}

/** What a context manager is shown. */
export function viewOf(run: Run): ContextView {
  const { transcript } = run.core
  const { messages, counted } = transcript
  const model = run.model!
  const tokens = counted ? counted.tokens + estimateTokens(messages.slice(counted.length), model) : estimateTokens(messages, model)
  return {
    messages,
    tokens,
    contextWindow: model.contextWindow ?? defaultWindow,
    model,
    signal: run.signal,
    ids: run.core.ids,
    warn: (message) => run.warn('context_manager_failed', `The context manager "${run.core.context?.name}" failed: ${message}`),
    spend: (usage, name) => run.addUsage(usage, name),
  }
}

/** The prompt and the tools, which the provider counted too, are still there. */
function tokensAfter({ messages, tokens, model }: ContextView, now: readonly Message[]): number {
  return Math.max(0, tokens - estimateTokens(messages, model) + estimateTokens(now, model))
}
