import type { ToolCallRequest } from '../hooks/hooks.ts'
import { childController } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import { channel } from '../util/channel.ts'
import { frozenCopy } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import { contextOf } from './call-context.ts'
import type { Course } from './call-course.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { cancelledOutcome } from './execute.ts'
import { askingOf, judgeAndExecute, settleMsOf } from './judge-and-execute.ts'
import { ownOutcome } from './own-outcome.ts'
import { resolveCall } from './resolve-call.ts'
import type { Tool, ToolOutcome } from './tool.ts'

/** Every middleware is a generator: what it yields is progress, what it returns is the outcome. */
export async function throughMiddleware(tool: Tool, prepared: PreparedCall, env: CallEnvironment, course: Course): Promise<ToolOutcome> {
  type Next = (call: ToolCallRequest) => AsyncGenerator<JsonValue, ToolOutcome, void>
  const innermost: Next = (call) => innermostStage(call, prepared, env, course)
  const chain = env.middleware.tool.reduceRight<Next>((next, middleware) => (call) => middleware(call, next), innermost)
  // The call would begin anew with the answer, and what was done would be done twice.
  const tooLate = (): string | undefined => (course.raw ? 'the tool has run. A middleware asks before it calls next().' : undefined)
  const asking = askingOf(prepared, env, '/middleware', tooLate)
  const context = contextOf(prepared, env, env.signal, env.onProgress, (text) => env.endTurn(prepared.toolUse.id, text), asking)
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
  const { toolUse } = prepared
  const current = changed ? await resolveCall({ toolUse, tool: call.tool, input, names: env.tools.names, signal: env.signal }) : prepared
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
