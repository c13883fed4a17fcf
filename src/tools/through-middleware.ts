import { InputError } from '../errors.ts'
import type { ToolCallRequest } from '../hooks/hooks.ts'
import { describe } from '../messages/stored.ts'
import { childController, settle } from '../util/abort.ts'
import { isThenable, settleBounded } from '../util/bounded.ts'
import { channel } from '../util/channel.ts'
import { frozenCopy } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import { contextOf } from './call-context.ts'
import type { Course } from './call-course.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { checkTool } from './check-tool.ts'
import { cancelledOutcome } from './execute.ts'
import { askingOf, judgeAndExecute, settleMsOf } from './judge-and-execute.ts'
import { ownOutcome } from './own-outcome.ts'
import { resolveCall } from './resolve-call.ts'
import type { Tool, ToolOutcome } from './tool.ts'

/** Every middleware is a generator: what it yields is progress, what it returns is the outcome. */
export async function throughMiddleware(tool: Tool, prepared: PreparedCall, env: CallEnvironment, course: Course): Promise<ToolOutcome> {
  type Next = (call: ToolCallRequest) => AsyncGenerator<JsonValue, ToolOutcome, void>
  // All that `next()` began is told to end with the middleware: who does not wait for it leaves it.
  const { controller: inside, release } = childController(env.signal)
  let isOver = false
  const innermost: Next = (call) => innermostStage(call, prepared, env, course, inside.signal, () => isOver)
  const chain = env.middleware.tool.reduceRight<Next>((next, middleware) => (call) => checked(middleware(call, next)), innermost)
  // The call would begin anew with the answer, and what was done would be done twice.
  const tooLate = (): string | undefined => (course.raw ? 'the tool has run. A middleware asks before it calls next().' : undefined)
  const asking = askingOf(prepared, env, '/middleware', tooLate)
  const context = contextOf(prepared, env, env.signal, env.onProgress, (text) => env.endTurn(prepared.toolUse.id, text), asking)
  // Once the run is cancelled the call inside has its time to end, and the middleware as much as a hook.
  const bound = { ...env.bound, graceMs: settleMsOf(prepared, tool) + env.bound.graceMs }
  try {
    const running = chain({ tool, input: prepared.input, context })
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
  } finally {
    asking.close('the call has ended.')
    isOver = true
    inside.abort(new Error('A middleware left the call.'))
    release()
  }
}

/** Types do not hold everybody: of an async function nobody would hear the failure. */
function checked<T>(running: T): T {
  if (typeof (running as { next?: unknown } | null | undefined)?.next === 'function') return running
  if (isThenable(running)) void settle(running)
  throw new TypeError(
    `a middleware must be an async generator function, async function* (call, next) { return yield* next(call) }; it gave ${describe(running)}`,
  )
}

async function* innermostStage(
  call: ToolCallRequest,
  prepared: PreparedCall,
  env: CallEnvironment,
  course: Course,
  signal: AbortSignal,
  isOver: () => boolean,
): AsyncGenerator<JsonValue, ToolOutcome, void> {
  // What comes of it would belong to no call.
  if (isOver())
    throw new InputError('The call has ended. A middleware calls next() before it ends itself, and waits for what comes of it.', {
      code: 'call_ended',
    })
  const changed = call.input !== prepared.input || call.tool !== prepared.tool
  if (call.tool !== prepared.tool) checkTool(call.tool)
  const input = changed ? frozenCopy(call.input, 'the `input` that a middleware set') : call.input
  const { toolUse } = prepared
  const { clock } = env
  const current = changed ? await resolveCall({ toolUse, tool: call.tool, input, names: env.tools.names, signal, clock }) : prepared
  if (current.refused) return current.refused
  const progress = channel<JsonValue>()
  const { controller, release } = childController(signal)
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
