import { HookError } from '../errors.ts'
import type { ToolCallRequest } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Cut } from '../util/abort.ts'
import { childController, reasonOf } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import { channel } from '../util/channel.ts'
import { freezeOwn, frozenCopy } from '../util/json.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { Asking } from '../interrupts/asking.ts'
import { InterruptSignal } from '../interrupts/interrupt.ts'
import { contextOf, keyOf } from './call-context.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { cancelledOutcome, denied, execute, thrown } from './execute.ts'
import { unknownFlags } from './flags.ts'
import { judge } from './judge.ts'
import { ownOutcome } from './own-outcome.ts'
import { resolveCall } from './resolve-call.ts'
import { directSteps } from './steps.ts'
import type { Tool, ToolContext, ToolOutcome } from './tool.ts'

/** How often hooks may have one call run again. */
const maxRetries = 10

/** The first half of one call: hooks, look-up, validation, flags. Throws only what a hook throws. */
export async function prepareCall(toolUse: ToolUseBlock, env: CallEnvironment, early = false): Promise<PreparedCall> {
  let tool = env.tools.get(toolUse.name)
  let input = toolUse.input
  let cancel: string | undefined
  if (env.hooks.has('beforeToolCall')) {
    const { direct } = env
    const { id, name } = toolUse
    const asking = new Asking({ questions: env.questions, about: `${id}/before_tool_call`, toolUse: { id, name, input } })
    const event = stickyCancel({ ...env.hookBase(), toolUse, tool, input, early, direct, interrupt: asking.interrupt })
    await env.hooks.run('beforeToolCall', event, env.bound)
    if (asking.raised) return { toolUse, tool, input, parsed: input, flags: unknownFlags, refused: undefined, interrupted: true }
    ;({ tool, cancel } = event)
    // A copy: what is judged now must not change any more.
    if (event.input !== input) input = frozenCopy(event.input, 'the `input` that a beforeToolCall hook set')
  }
  if (cancel !== undefined) return { toolUse, tool, input, parsed: input, flags: unknownFlags, refused: denied(cancel) }
  // A tool that a hook took away is not what was meant.
  return resolveCall({ toolUse, tool, input, names: tool ? [] : env.tools.names.filter((name) => name !== toolUse.name) })
}

/** What is known of one call while it lasts. */
type Course = {
  /** Runs of the tool so far, over all attempts: each is a step of its own. */
  runs: number
  /** Has the tool been called at all? Until then nothing can have been done. */
  begun: boolean
  /** What the tool itself came to in this attempt, whatever a middleware makes of it. */
  raw: ToolOutcome | undefined
  /** Does a person have to answer first? */
  waits: boolean
}

/**
 * The second half: middleware → gate → execute → wrap → recorded → `afterToolCall`. Gives the result, or `undefined` when the
 * call waits for a person's answer; throws only what a hook throws, and by then the result is recorded and the call has ended.
 */
export async function runCall(prepared: PreparedCall, env: CallEnvironment): Promise<ToolResultBlock | undefined> {
  const startedAt = env.clock.now()
  await env.onStart(prepared, env.early)
  const course: Course = { runs: 0, begun: false, raw: undefined, waits: false }
  let result = resultOf(prepared.toolUse.id, cancelledOutcome(false))
  try {
    for (let attempt = 0; ; attempt++) {
      course.raw = undefined
      const outcome = prepared.refused ?? (await runAttempt(prepared, env, course))
      if (course.waits) return undefined
      env.record((result = resultOf(prepared.toolUse.id, outcome)), course.begun)
      const after = await afterToolCall(prepared, outcome, env, env.clock.now() - startedAt)
      if (after.outcome !== outcome) env.record((result = resultOf(prepared.toolUse.id, after.outcome)), course.begun)
      if (after.retry && attempt < maxRetries && !env.signal.aborted) continue
      const short = env.shorten(prepared, result)
      if (short) env.record((result = await short), course.begun)
      return result
    }
  } finally {
    const durationMs = env.clock.now() - startedAt
    await (course.waits ? env.onInterrupted(prepared, durationMs) : env.onEnd(prepared, result, durationMs))
  }
}

export function resultOf(toolUseId: string, { status, code, content, structuredContent }: ToolOutcome): ToolResultBlock {
  return freezeOwn({
    type: 'tool_result',
    toolUseId,
    status,
    ...(code !== undefined && { code }),
    content,
    ...(structuredContent !== undefined && { structuredContent }),
  })
}

async function afterToolCall(
  prepared: PreparedCall,
  outcome: ToolOutcome,
  env: CallEnvironment,
  durationMs: number,
): Promise<{ outcome: ToolOutcome; retry: boolean }> {
  if (!env.hooks.has('afterToolCall')) return { outcome, retry: false }
  const { toolUse, tool, input } = prepared
  const event = { ...env.hookBase(), toolUse, tool, input, durationMs, discarded: env.isDiscarded(), result: outcome, retry: false }
  await env.hooks.run('afterToolCall', event, env.bound)
  if (event.result === outcome) return { outcome, retry: event.retry }
  const replaced = ownOutcome(event.result)
  if (!replaced)
    throw new HookError(
      'An afterToolCall hook set `result` to what is none. It must be { status: "success" or "error", content: an array of content blocks }.',
      { hook: 'afterToolCall' },
    )
  return { outcome: replaced, retry: event.retry }
}

async function runAttempt(prepared: PreparedCall, env: CallEnvironment, course: Course): Promise<ToolOutcome> {
  if (env.signal.aborted) return cancelledOutcome(course.begun)
  const { tool } = prepared
  if (!tool) return cancelledOutcome(false)
  try {
    if (env.middleware.tool.length === 0) return await judgeAndExecute(prepared, env, (value) => env.onProgress(prepared, value), course)
    return await throughMiddleware(tool, prepared, env, course)
  } catch (error) {
    // A tool that has ended in spite of the cancel has done its work, and that is never thrown away.
    if (env.signal.aborted) return course.raw ?? cancelledOutcome(course.begun)
    // A middleware or a step runner that throws: the model reads it like an error of the tool. It must not repeat what was done.
    return course.raw?.status === 'success' ? afterSuccess(thrown(error)) : thrown(error)
  }
}

const afterSuccess = (outcome: ToolOutcome): ToolOutcome => ({
  ...outcome,
  content: [...outcome.content, { type: 'text', text: 'The tool itself had ended with success before that: its work is done.' }],
})

/** Every middleware is a generator: what it yields is progress, what it returns is the outcome. */
async function throughMiddleware(tool: Tool, prepared: PreparedCall, env: CallEnvironment, course: Course): Promise<ToolOutcome> {
  type Next = (call: ToolCallRequest) => AsyncGenerator<JsonValue, ToolOutcome, void>
  const innermost: Next = (call) => innermostStage(call, prepared, env, course)
  const chain = env.middleware.tool.reduceRight<Next>((next, middleware) => (call) => middleware(call, next), innermost)
  // The call would begin anew with the answer, and what was done would be done twice.
  const tooLate = (): string | undefined => (course.raw ? 'the tool has run. A middleware asks before it calls next().' : undefined)
  const asking = askingOf(prepared, env, '/middleware', tooLate)
  const context = contextOf(prepared, env, env.signal, env.onProgress, env.endTurn, asking)
  const running = chain({ tool, input: prepared.input, context })
  // Once the run is cancelled the call inside has its time to end, and the middleware as much as a hook.
  const bound = { ...env.bound, graceMs: settleMsOf(prepared, tool) + env.bound.graceMs }
  for (;;) {
    const step = await settleBounded(running.next(), bound)
    if (!step) {
      void running.return(cancelledOutcome(true)).catch(() => {})
      return course.raw ?? cancelledOutcome(course.begun)
    }
    if (asking.raised) course.waits = true
    if (!step.ok) throw step.error
    if (step.value.done) {
      const outcome = ownOutcome(step.value.value)
      if (outcome) return outcome
      throw new TypeError('a middleware returned no outcome of the call; it must return what next() returns, or { status, content }')
    }
    await env.onProgress(prepared, step.value.value)
  }
}

async function* innermostStage(
  call: ToolCallRequest,
  prepared: PreparedCall,
  env: CallEnvironment,
  course: Course,
): AsyncGenerator<JsonValue, ToolOutcome, void> {
  const changed = call.input !== prepared.input || call.tool !== prepared.tool
  const input = changed ? frozenCopy(call.input, 'the `input` that a middleware set') : call.input
  const current = changed ? await resolveCall({ toolUse: prepared.toolUse, tool: call.tool, input, names: env.tools.names }) : prepared
  if (current.refused) return current.refused
  const progress = channel<JsonValue>()
  const { controller, release } = childController(env.signal)
  const outcome = judgeAndExecute(current, { ...env, signal: controller.signal }, progress.send, course).finally(progress.close)
  // A middleware may leave at a `yield`, and then nobody waits for the outcome.
  outcome.catch(() => {})
  try {
    yield* progress
    return await outcome
  } finally {
    // Nothing when the call has ended; else the middleware has left, and the call is told to end.
    controller.abort(new Error('A middleware left the call.'))
    release()
  }
}

const settleMsOf = ({ flags }: PreparedCall, tool: Tool): number => tool.settleMs ?? (flags.readOnly ? 0 : 2000)

/** The gate, and nothing between it and the run. */
async function judgeAndExecute(
  prepared: PreparedCall,
  env: CallEnvironment,
  progress: (value: JsonValue) => void | Promise<void>,
  course: Course,
): Promise<ToolOutcome> {
  const tool = prepared.tool!
  const { allowed, refused } = await judge(prepared, tool, env)
  if (refused) return refused
  if (!allowed) {
    course.waits = true
    return waiting
  }
  const outcome = await executeAsStep(allowed, tool, env, progress, course)
  return allowed.edited ? saysEdited(outcome, allowed.input) : outcome
}

/** One run of the tool, which is one step. */
async function executeAsStep(
  prepared: PreparedCall,
  tool: Tool,
  env: CallEnvironment,
  progress: (value: JsonValue) => void | Promise<void>,
  course: Course,
): Promise<ToolOutcome> {
  const { toolUse } = prepared
  const settleMs = settleMsOf(prepared, tool)
  const run = ++course.runs
  const asking = askingOf(prepared, env)
  let ended = false
  // What a tool still says after its call has ended belongs to no call.
  const makeContext = (cut: Cut): ToolContext =>
    contextOf(
      prepared,
      env,
      cut,
      (_, value) => (ended ? undefined : progress(value)),
      (text) => (ended || cut.aborted ? undefined : env.endTurn(text)),
      asking,
    )
  const step = { name: stepName(toolUse.id, env, run), kind: 'tool', idempotencyKey: keyOf(toolUse, env) } as const
  // The record of a step is data, so value and error of the outcome are kept beside it.
  let live: ToolOutcome | undefined
  // An agent's effects are steps themselves: one around them all would lose what it had done.
  const steps = tool.passesSteps ? directSteps : env.steps
  const stepping = steps.run(
    step,
    async () => {
      // An engine may have taken its time.
      if (env.signal.aborted) throw reasonOf(env.signal)
      if (env.claim && !prepared.flags.readOnly && !tool.passesSteps) {
        // A call that asked and has its answer is begun anew, once.
        const answered = env.questions.answered(toolUse.id)
        const right = await env.claim(answered > 0 ? `${step.idempotencyKey}#${answered}` : step.idempotencyKey)
        if (right !== 'mine') return recordOf((live = course.raw = right ?? elsewhere(tool)))
      }
      course.begun = true
      const outcome = await execute(tool, prepared.parsed, makeContext, {
        signal: env.signal,
        clock: env.clock,
        settleMs,
        onLate: (late) => env.onLate(prepared, late),
        onCut: env.onCut,
      })
      ended = true
      // Not an outcome: nothing is recorded, and the call begins anew with the answer.
      if (asking.raised) throw new InterruptSignal(asking.raised)
      live = outcome
      course.raw = live
      return recordOf(live)
    },
    { signal: env.signal },
  )
  // An engine is somebody else's code: once the call has had its time to end, nobody waits for the record.
  const settled = await settleBounded(stepping, { ...env.bound, graceMs: Math.max(settleMs, env.bound.graceMs) })
  if (asking.raised) course.waits = true
  if (!settled) return live ?? cancelledOutcome(course.begun)
  if (!settled.ok) throw settled.error
  if (live) return live
  const recorded = ownOutcome(settled.value)
  if (!recorded) throw new TypeError(`the steps gave no outcome for ${step.name}`)
  return (course.raw = recorded)
}

/** Another process has begun the call, and has not said what it came to. */
const elsewhere = (tool: Tool): ToolOutcome => ({
  status: 'error',
  code: 'unknown_outcome',
  content: [{ type: 'text', text: `The call of ${tool.name} was begun before, and what came of it is not known. It was not run again.` }],
})

/** A call that begins anew with answers is another step than the one that asked: an engine may have recorded that it was left. */
function stepName(callId: string, env: CallEnvironment, run: number): string {
  const answered = env.questions.answered(callId)
  return ['tool', callId, ...(answered > 0 ? [`answered_${answered}`] : []), ...(run > 1 ? [run] : [])].join(':')
}

/** Questions of the tool itself, or of what stands around it. */
const askingOf = ({ toolUse, input }: PreparedCall, env: CallEnvironment, place = '', tooLate?: () => string | undefined): Asking =>
  new Asking({ questions: env.questions, about: `${toolUse.id}${place}`, toolUse: { id: toolUse.id, name: toolUse.name, input }, tooLate })

/** Stands for the outcome of a call that waits; it is not stored. */
const waiting: ToolOutcome = { status: 'error', code: 'not_answered', content: [{ type: 'text', text: 'The call waits for an answer.' }] }

const saysEdited = (outcome: ToolOutcome, input: JsonObject): ToolOutcome => ({
  ...outcome,
  content: [
    ...outcome.content,
    { type: 'text', text: `The person who approved this call had it run with another input: ${JSON.stringify(input)}` },
  ],
})

/** An outcome as an engine can write it down. */
const recordOf = ({ value: _value, error: _error, ...data }: ToolOutcome): JsonObject => ({ ...data })
