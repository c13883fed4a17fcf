import { HookError } from '../errors.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { Asking } from '../interrupts/asking.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { describe } from '../messages/stored.ts'
import { freezeOwn, frozenCopy, isObject } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import type { Course } from './call-course.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { checkTool } from './check-tool.ts'
import { cancelledOutcome, denied, thrown } from './execute.ts'
import { unknownFlags } from './flags.ts'
import { judgeAndExecute, recordedBefore } from './judge-and-execute.ts'
import { ownOutcome } from './own-outcome.ts'
import { resolveCall } from './resolve-call.ts'
import { throughMiddleware } from './through-middleware.ts'
import type { Tool, ToolOutcome } from './tool.ts'

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
    const event = stickyCancel({ toolUse, tool, input, early, direct, interrupt: asking.interrupt, ...env.hookBase() })
    try {
      await env.hooks.run('beforeToolCall', event, env.bound)
    } finally {
      asking.close('the hooks beforeToolCall have run.')
    }
    if (asking.raised) return { toolUse, tool, input, parsed: input, flags: unknownFlags, refused: undefined, interrupted: true }
    cancel = event.cancel
    if (event.tool !== tool) tool = fromHook('tool', () => toolOf(event.tool))
    // A copy: what is judged now must not change any more.
    if (event.input !== input) input = fromHook('input', () => inputOf(event.input))
  }
  if (cancel !== undefined) return { toolUse, tool, input, parsed: input, flags: unknownFlags, refused: denied(cancel) }
  // A tool that a hook took away is not what was meant.
  const names = tool ? [] : env.tools.names.filter((name) => name !== toolUse.name)
  return resolveCall({ toolUse, tool, input, names, signal: env.signal, clock: env.clock })
}

/** One that a hook took away is none. */
function toolOf(given: Tool | undefined): Tool | undefined {
  if (given) checkTool(given)
  return given ?? undefined
}

function inputOf(given: JsonObject): JsonObject {
  if (!isObject(given)) throw new TypeError(`expected an object such as { city: 'Tokyo' }, got ${describe(given)}.`)
  return frozenCopy(given, 'the `input`')
}

function fromHook<T>(what: 'tool' | 'input', read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new HookError(`A beforeToolCall hook set \`${what}\` to what is none: ${said}`, { hook: 'beforeToolCall', cause })
  }
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
      const outcome = prepared.refused
        ? ((env.steps.recorded && (await recordedBefore(prepared, env, course))) ?? prepared.refused)
        : await runAttempt(prepared, env, course)
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
  // Written out, as an object that ends in spreads has room for more, as long as the history lives.
  if (code === undefined && structuredContent === undefined)
    return freezeOwn({ type: 'tool_result', toolUseId, status, content }, 'nothing')
  return freezeOwn(
    {
      type: 'tool_result',
      toolUseId,
      status,
      ...(code !== undefined && { code }),
      content,
      ...(structuredContent !== undefined && { structuredContent }),
    },
    'nothing',
  )
}

async function afterToolCall(
  prepared: PreparedCall,
  outcome: ToolOutcome,
  env: CallEnvironment,
  durationMs: number,
): Promise<{ outcome: ToolOutcome; retry: boolean }> {
  if (!env.hooks.has('afterToolCall')) return { outcome, retry: false }
  const { toolUse, tool, input } = prepared
  const event = {
    toolUse,
    tool,
    input,
    durationMs,
    discarded: env.isDiscarded(toolUse.id),
    result: outcome,
    retry: false,
    ...env.hookBase(),
  }
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
