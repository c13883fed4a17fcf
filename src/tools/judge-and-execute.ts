import { toAgentError } from '../errors.ts'
import { Asking } from '../interrupts/asking.ts'
import { InterruptSignal } from '../interrupts/interrupt.ts'
import type { Cut } from '../util/abort.ts'
import { reasonOf } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import { isObject } from '../util/json.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { contextOf, keyOf } from './call-context.ts'
import type { Course } from './call-course.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { cancelledOutcome, execute } from './execute.ts'
import { judge } from './judge.ts'
import { ownOutcome } from './own-outcome.ts'
import { directSteps, EngineFailure, runStep } from './steps.ts'
import type { Tool, ToolContext, ToolOutcome } from './tool.ts'

/** How long a call may take to end, once it is told to. */
export const settleMsOf = ({ flags }: PreparedCall, tool: Tool): number => tool.settleMs ?? (flags.readOnly ? 0 : 2000)

/** The gate, and nothing between it and the run. */
export async function judgeAndExecute(
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
  let wish: EndWish | undefined
  // What a tool still says after its call has ended belongs to no call.
  const makeContext = (cut: Cut): ToolContext =>
    contextOf(
      prepared,
      env,
      cut,
      (_, value) => (ended ? undefined : progress(value)),
      (text) => {
        if (!ended && !cut.aborted) wish ??= text === undefined ? {} : { text }
      },
      asking,
    )
  const step = { name: stepName(toolUse.id, env, run), kind: 'tool', idempotencyKey: keyOf(toolUse, env) } as const
  // The record of a step is data, so value and error of the outcome are kept beside it.
  let live: ToolOutcome | undefined
  // An agent's effects are steps themselves: one around them all would lose what it had done.
  const steps = tool.passesSteps ? directSteps : env.steps
  const stepping = runStep(
    steps,
    step,
    async () => {
      // An engine may have taken its time.
      if (env.signal.aborted) throw reasonOf(env.signal)
      // What an engine has recorded of an agent's steps it gives again in a replay, and the call with them.
      const isReplayed = tool.passesSteps && env.steps !== directSteps
      if (env.claim && !prepared.flags.readOnly && !isReplayed) {
        const right = await orNothingRuns(env.claim(claimOf(prepared, tool, env)), tool)
        if (right !== 'mine') return recordOf((live = course.raw = right ?? elsewhere(tool)))
      }
      course.begun = true
      const outcome = await execute(tool, prepared.parsed, makeContext, {
        signal: env.signal,
        clock: env.clock,
        settleMs,
        onLate: (late) => env.onLate(prepared, late),
        onCut: env.onCut && ((cut) => env.onCut!(toolUse.id, cut)),
      })
      ended = true
      asking.close('the call has ended.')
      // Not an outcome: nothing is recorded, and the call begins anew with the answer.
      if (asking.raised) throw new InterruptSignal(asking.raised)
      live = outcome
      course.raw = live
      if (wish) env.endTurn(toolUse.id, wish.text)
      return recordOf(live, wish)
    },
    { signal: env.signal },
  )
  // An engine is somebody else's code: once the call has had its time to end, nobody waits for the record.
  const { signal, graceMs, clock } = env.bound
  const bound = { signal, graceMs: Math.max(settleMs, graceMs), clock }
  const settled = await settleBounded(stepping, bound)
  if (asking.raised) course.waits = true
  if (!settled) return live ?? cancelledOutcome(course.begun)
  try {
    if (!settled.ok) throw settled.error
    if (live) return live
    course.raw = recordedBy(settled.value, step.name)
    takeWish(toolUse.id, settled.value, env)
    return course.raw
  } catch (error) {
    if (course.waits || signal.aborted || !(error instanceof EngineFailure)) throw error
    // No result stands for that. The run ends with it, and what the engine left behind has its time to end.
    env.onEngineFailure(error.error)
    if (error.running) await settleBounded(error.running, bound)
    if (asking.raised) course.waits = true
    return (course.raw = live) ?? cancelledOutcome(course.begun)
  }
}

/**
 * What an engine has recorded of a call that cannot run any more: its tool is gone, or takes another input now. What was done is
 * done, and a replay gives it; of one that was under way nobody knows what it did.
 */
export async function recordedBefore(
  { toolUse, refused }: PreparedCall,
  env: CallEnvironment,
  course: Course,
): Promise<ToolOutcome | undefined> {
  const { steps, signal } = env
  if (!steps.recorded || signal.aborted || !unrunnable.has(refused?.code)) return undefined
  const step = { name: stepName(toolUse.id, env, ++course.runs), kind: 'tool', idempotencyKey: keyOf(toolUse, env) } as const
  try {
    const settled = await settleBounded(steps.recorded(step, { signal }), env.bound)
    if (!settled) return undefined
    if (!settled.ok) throw settled.error
    if (settled.value === undefined) return undefined
    if (settled.value === 'begun') return elsewhere(toolUse)
    course.raw = recordedBy(settled.value.value, step.name)
    takeWish(toolUse.id, settled.value.value, env)
    return course.raw
  } catch (error) {
    if (signal.aborted) return undefined
    env.onEngineFailure(
      error instanceof EngineFailure ? error.error : toAgentError(error, 'steps_failed', `The steps failed at ${step.name}`),
    )
    return cancelledOutcome(false)
  }
}

/** Why a call cannot run, where the program is another one than it was. */
const unrunnable: ReadonlySet<string | undefined> = new Set(['not_found', 'invalid_input', 'timeout'])

/** A call whose record says that the run ends behind it ends it in a replay, too. */
function takeWish(callId: string, recorded: JsonValue, env: CallEnvironment): void {
  const endTurn = isObject(recorded) ? recorded['endTurn'] : undefined
  if (isObject(endTurn)) env.endTurn(callId, typeof endTurn['text'] === 'string' ? endTurn['text'] : undefined)
}

/** @throws {EngineFailure} for what is no record of a call. */
function recordedBy(given: JsonValue, step: string): ToolOutcome {
  let recorded: ToolOutcome | undefined
  try {
    recorded = ownOutcome(given)
  } catch {
    // What JSON cannot carry is no record either.
  }
  if (!recorded) throw EngineFailure.noRecord(step, given)
  return recorded
}

/** A call that asked and has its answer is begun anew, once; an agent goes on from where it stood, and may ask more than once. */
function claimOf({ toolUse }: PreparedCall, tool: Tool, env: CallEnvironment): string {
  const stood = tool.passesSteps ? env.subAgents?.takeChild(toolUse.id)?.checkpoint.id : undefined
  const answered = env.questions.answered(toolUse.id)
  const again = stood ?? (answered > 0 ? answered : undefined)
  return again === undefined ? keyOf(toolUse, env) : `${keyOf(toolUse, env)}#${again}`
}

/**
 * The right to run a call, from a store that may fail. Nobody knows then who may run it, so nothing runs, and the run ends: it is no
 * error of the tool, which the model would read, and try again.
 */
async function orNothingRuns<T>(claiming: Promise<T>, tool: Tool): Promise<T> {
  try {
    return await claiming
  } catch (error) {
    throw new EngineFailure(toAgentError(error, 'session_failed', `The call of ${tool.name} could not be claimed, so it was not run`))
  }
}

/** Another process has begun the call, and has not said what it came to. */
const elsewhere = (tool: { readonly name: string }): ToolOutcome => ({
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
export const askingOf = ({ toolUse, input }: PreparedCall, env: CallEnvironment, place = '', tooLate?: () => string | undefined): Asking =>
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

/** A call wants the run to end behind its turn. It is a part of what the call came to: a replay ends there, too. */
type EndWish = { readonly text?: string }

/** An outcome as an engine can write it down. */
const recordOf = ({ status, code, content, structuredContent }: ToolOutcome, endTurn?: EndWish): JsonObject => ({
  status,
  content,
  ...(code !== undefined && { code }),
  ...(structuredContent !== undefined && { structuredContent }),
  ...(endTurn && { endTurn }),
})
