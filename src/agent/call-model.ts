import { HookError } from '../errors.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { Asking } from '../interrupts/asking.ts'
import type { AssistantMessage } from '../messages/message.ts'
import { describe } from '../messages/stored.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { ModelRequest, ToolChoice } from '../models/model.ts'
import { isObject } from '../util/json.ts'
import { attemptCall } from './attempt-call.ts'
import type { Tried } from './attempt-call.ts'
import { nextModel, reasonToSwitch, switchModel } from './fall-back.ts'
import { manageContext, maxReductions, reduceContext } from './manage-context.ts'
import type { Run } from './run.ts'
import { assistantText } from './store-message.ts'

/** What came of a model call: a message, an answer that a hook gave instead, or nothing because the run was cancelled. */
export type ModelReply =
  | {
      readonly kind: 'message'
      readonly message: AssistantMessage
      readonly stopReason: ModelStopReason
      readonly redactedInput: string | undefined
    }
  | { readonly kind: 'hook'; readonly message: AssistantMessage }
  | { readonly kind: 'cancelled' }
  /** A hook asks a person. */
  | { readonly kind: 'interrupt' }

/** How often hooks may have one call of the model repeated. */
const maxRetries = 10

/**
 * One call of the model, with the attempts that hooks, a shorter history or another model make of it. Nothing is stored here.
 *
 * @throws {ModelError} when there is no answer; {HookError} when a hook throws.
 */
export async function callModel(run: Run): Promise<ModelReply> {
  let reductions = 0
  for (let attempt = 1, serial = 1; ; attempt++) {
    await manageContext(run)
    const prepared = await prepareRequest(run, attempt)
    // Who has cancelled is asked nothing.
    if (run.cancelled) return { kind: 'cancelled' }
    if (prepared === 'interrupt') return { kind: 'interrupt' }
    if (prepared.cancel !== undefined)
      return { kind: 'hook', message: assistantText(run, [{ type: 'text', text: prepared.cancel }], 'hook') as AssistantMessage }
    const tried = await attemptCall(run, prepared.request, attempt, serial)
    if (tried.message) run.partial = tried.message.content.filter((block) => block.type === 'text')
    const again = await whatNext(run, tried, attempt, reductions)
    if (again === 'cancelled') return { kind: 'cancelled' }
    if (again === 'done') return await finishCall(run, tried)
    // An attempt that failed is no record: the next one has its name, and a replay finds the answer at once. One that is not wanted is.
    if (tried.message) serial++
    if (again === 'reduced') reductions++
    if (again === 'switched') attempt = 0
  }
}

/** What follows from an attempt. The message of one that does not count is discarded here. */
async function whatNext(
  run: Run,
  tried: Tried,
  attempt: number,
  reductions: number,
): Promise<'done' | 'retry' | 'reduced' | 'switched' | 'cancelled'> {
  const cancelled = async (): Promise<'cancelled'> => {
    await discard(run, tried.messageId, 'cancelled')
    return 'cancelled'
  }
  if (run.cancelled) return await cancelled()
  const retry = await afterModelCall(run, tried, attempt)
  if (run.cancelled) return await cancelled()
  if (retry && attempt <= maxRetries) {
    await discard(run, tried.messageId, 'retry')
    await waitToRetry(run, retry, attempt)
    return run.cancelled ? 'cancelled' : 'retry'
  }
  const { error } = tried
  if (error && (await orDiscard(run, tried, () => reduceContext(run, error, reductions)))) {
    await discard(run, tried.messageId, 'retry')
    await waitToRetry(run, { delayMs: 0, reason: error.code, maxAttempts: maxReductions + 1 }, attempt)
    return run.cancelled ? 'cancelled' : 'reduced'
  }
  if (run.cancelled) return await cancelled()
  const code = tried.error ? reasonToSwitch(tried.error) : tried.assembled.stopReason === 'refusal' ? 'refusal' : undefined
  const next = code === undefined ? undefined : await orDiscard(run, tried, () => nextModel(run))
  if (run.cancelled) return await cancelled()
  if (!next || code === undefined) return 'done'
  await discard(run, tried.messageId, 'fallback')
  await switchModel(run, next, code)
  return run.cancelled ? 'cancelled' : 'switched'
}

async function finishCall(run: Run, tried: Tried): Promise<ModelReply> {
  if (tried.error) {
    await discard(run, tried.messageId, 'error')
    if (tried.byEngine) run.engineFailure = tried.error
    throw tried.error
  }
  run.partial = []
  await endMessage(run, tried)
  const redactedInput = tried.assembled.redactions.findLast(({ target }) => target === 'input')?.replacement
  return { kind: 'message', message: tried.message, stopReason: tried.assembled.stopReason, redactedInput }
}

async function prepareRequest(
  run: Run,
  attempt: number,
): Promise<{ readonly request: ModelRequest; readonly cancel: string | undefined } | 'interrupt'> {
  const { core } = run
  const plain: ModelRequest = {
    system: core.system,
    messages: core.transcript.sendable(),
    tools: run.tools.specs,
    toolChoice: toolChoiceOf(run),
    settings: core.settings,
  }
  const request = run.output ? run.output.shape(plain, run.model!) : plain
  if (!core.hooks.has('beforeModelCall')) return { request, cancel: undefined }
  const asking = new Asking({ questions: run.questions, about: `${core.transcript.last?.id ?? run.id}/before_model_call` })
  const event = stickyCancel({ request, attempt, interrupt: asking.interrupt, ...run.hookBase() })
  try {
    await core.hooks.run('beforeModelCall', event, run.bound)
  } finally {
    asking.close('the hooks beforeModelCall have run.')
  }
  if (asking.raised) return 'interrupt'
  if (!isRequest(event.request))
    throw new HookError(
      `A beforeModelCall hook set \`request\` to what is none: expected a request { system, messages, tools, … }, got ${describe(event.request)}.`,
      { hook: 'beforeModelCall' },
    )
  return { request: event.request, cancel: event.cancel }
}

/** As far as one goes wrong by accident: what is in it the provider says. */
const isRequest = (given: unknown): given is ModelRequest =>
  isObject(given) && isObject(given['settings']) && ['system', 'messages', 'tools'].every((list) => Array.isArray(given[list]))

/** A forced choice holds for the first call only: for ever it would never let the model answer. */
function toolChoiceOf(run: Run): ToolChoice {
  const choice = run.options.toolChoice ?? 'auto'
  return choice === 'none' || !run.answered ? choice : 'auto'
}

async function afterModelCall(
  run: Run,
  tried: Tried,
  attempt: number,
): Promise<{ readonly delayMs: number; readonly reason: string; readonly maxAttempts?: number | undefined } | undefined> {
  const { hooks } = run.core
  if (!hooks.has('afterModelCall')) return undefined
  const stopReason = tried.error ? undefined : tried.assembled.stopReason
  const event = { message: tried.message, stopReason, error: tried.error, attempt, retry: undefined, ...run.hookBase() }
  await orDiscard(run, tried, () => hooks.run('afterModelCall', event, run.bound))
  return event.retry
}

/** What goes wrong while the message is open withdraws it: nothing else is told before its end. */
async function orDiscard<T>(run: Run, { messageId }: Tried, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await discard(run, messageId, 'error')
    throw error
  }
}

async function waitToRetry(
  run: Run,
  retry: { readonly delayMs: number; readonly reason: string; readonly maxAttempts?: number | undefined },
  attempt: number,
): Promise<void> {
  const delayMs = Number.isFinite(retry.delayMs) ? Math.max(0, retry.delayMs) : 0
  // A hook may have said no more than that it wants it.
  const reason = typeof retry.reason === 'string' ? retry.reason : 'hook'
  run.metrics.retries++
  const wait = run.emit?.({
    type: 'retry',
    ...run.base,
    attempt: attempt + 1,
    maxAttempts: retry.maxAttempts ?? maxRetries + 1,
    delayMs,
    code: reason,
    message: `The model is asked again in ${delayMs} ms (${reason}).`,
  })
  if (wait) await wait
  if (delayMs > 0) await run.core.clock.sleep(delayMs, run.signal)
}

async function discard(run: Run, messageId: string, reason: 'retry' | 'cancelled' | 'error' | 'fallback'): Promise<void> {
  // What is withdrawn is not kept by a cancel that comes while the next attempt is waited for.
  if (reason === 'retry' || reason === 'fallback') run.partial = []
  await run.dropBatch()
  const wait = run.emit?.({ type: 'message_discarded', ...run.base, messageId, reason })
  if (wait) await wait
}

async function endMessage(run: Run, tried: Tried & { readonly error: undefined }): Promise<void> {
  const { usage, stopReason } = tried.assembled
  const wait = run.emit?.({ type: 'message_end', ...run.base, message: tried.message, stopReason, ...(usage && { usage }) })
  if (wait) await wait
}
