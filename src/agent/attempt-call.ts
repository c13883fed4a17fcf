import { AgentError, ModelError, toAgentError } from '../errors.ts'
import { isEmpty } from '../messages/check.ts'
import type { AssistantBlock } from '../messages/content.ts'
import type { AssistantMessage, Message } from '../messages/message.ts'
import { placeholder } from '../messages/repair.ts'
import type { AssembledMessage } from '../models/assemble.ts'
import type { ModelRequest } from '../models/model.ts'
import { nameOf } from '../models/model.ts'
import { directSteps, EngineFailure, runStep } from '../tools/steps.ts'
import { childController, reasonOf } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import { freezeOwn, isObject } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Run } from './run.ts'
import { streamMessage } from './stream-message.ts'

/** What came of one attempt at a call of the model. */
export type Tried = { readonly messageId: string } & (
  | { readonly error: AgentError; readonly message: undefined; readonly byEngine?: boolean | undefined }
  | { readonly error: undefined; readonly message: AssistantMessage; readonly assembled: AssembledMessage }
)

/**
 * One attempt: one request, as one step. Never throws.
 *
 * @param serial counts the attempts that gave a message, from 1.
 */
export async function attemptCall(run: Run, request: ModelRequest, attempt: number, serial: number): Promise<Tried> {
  const { core } = run
  const model = run.model!
  const messageId = core.ids.next('message')
  const startedAt = run.now()
  run.partial = []
  const wait = run.emit?.({ type: 'message_start', ...run.base, messageId, model: nameOf(model), attempt })
  if (wait) await wait
  if (run.cancelled)
    return { messageId, error: toAgentError(reasonOf(run.signal), 'cancelled', 'The run was cancelled'), message: undefined }
  const span = run.turnSpan?.child('model', nameOf(model), startedAt)
  run.metrics.modelCalls++
  // Counted by the history, which a replay has too, and which goes on from one invocation to the next.
  const place = `model:${core.transcript.length}`
  const name = serial === 1 ? place : `${place}:${serial}`
  const key = `${core.conversationId}:${name}`
  const steps = run.options.steps ?? core.steps
  // An engine that gives up must not leave a stream behind that goes on telling.
  const own = steps === directSteps ? undefined : childController(run.signal)
  const signal = own?.controller.signal ?? run.signal
  try {
    const fingerprint = own && fingerprintOf(core.transcript.last)
    const stepping = runStep(
      steps,
      { name, kind: 'model', idempotencyKey: key, ...(fingerprint !== undefined && { fingerprint }) },
      async () => (await streamMessage(run, request, messageId, signal)) as unknown as JsonObject,
      { signal: run.signal },
    )
    // An engine is somebody else's code, too: it may not keep a cancelled run.
    const settled = await settleBounded(stepping, run.bound)
    if (!settled) throw reasonOf(run.signal)
    if (!settled.ok) throw settled.error
    const assembled = assembledBy(settled.value, name)
    run.addUsage(assembled.usage, nameOf(model))
    run.metrics.timeToFirstTokenMs ??= assembled.timeToFirstTokenMs
    span?.end(run.now())
    return { messageId, error: undefined, message: messageOf(run, messageId, assembled, run.now() - startedAt), assembled }
  } catch (thrown) {
    const byEngine = thrown instanceof EngineFailure
    const error = byEngine ? thrown.error : modelError(thrown, model.provider)
    own?.controller.abort(error)
    span?.end(run.now(), run.cancelled ? 'cancelled' : error.code)
    return { messageId, error, message: undefined, byEngine }
  } finally {
    own?.release()
    run.metrics.modelMs += run.now() - startedAt
  }
}

/** @throws {EngineFailure} for what is no record of a message. */
function assembledBy(given: JsonObject, step: string): AssembledMessage {
  if (!isObject(given) || !Array.isArray(given['content']) || typeof given['stopReason'] !== 'string')
    throw EngineFailure.noRecord(step, given)
  return given as unknown as AssembledMessage
}

function modelError(thrown: unknown, provider: string): AgentError {
  if (AgentError.isInstance(thrown)) return thrown
  return new ModelError(`The model failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { provider, cause: thrown })
}

/** The message as it is stored: never empty, whatever the model said. */
function messageOf(run: Run, id: string, assembled: AssembledMessage, durationMs: number): AssistantMessage {
  const { usage, timeToFirstTokenMs, stopReason, model } = assembled
  const empty = isEmpty(assembled.content)
  const content: readonly AssistantBlock[] = empty ? [{ type: 'text', text: placeholder }] : assembled.content
  const name = model === undefined ? nameOf(run.model!) : `${run.model!.provider}/${model}`
  // One string for all messages of a run, as they live as long as the history.
  if (name !== run.modelName) run.modelName = name
  // Whole numbers: others are objects of their own.
  const tookMs = Math.round(durationMs)
  const firstMs = timeToFirstTokenMs === undefined ? undefined : Math.round(timeToFirstTokenMs)
  // Written out for what most messages are: an object that ends in spreads has room for more.
  const metadata =
    usage && firstMs !== undefined && !empty
      ? { model: run.modelName, stopReason, durationMs: tookMs, timeToFirstTokenMs: firstMs, usage }
      : {
          model: run.modelName,
          stopReason,
          durationMs: tookMs,
          ...(firstMs !== undefined && { timeToFirstTokenMs: firstMs }),
          ...(usage && { usage }),
          ...(empty && { synthetic: 'repair' as const }),
        }
  return freezeOwn({ id, role: 'assistant', content, metadata } satisfies Message)
}
