import type { Clock } from '../util/clock.ts'
import { Cut, notNeeded, settle } from '../util/abort.ts'
import type { ToolResultContent } from '../messages/content.ts'
import { settleBounded } from '../util/bounded.ts'
import type { Tool, ToolContext, ToolOutcome } from './tool.ts'
import { readable } from './readable.ts'
import { valueOf } from './value-of.ts'
import { wrapResult } from './wrap.ts'

export type ExecuteOptions = {
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Milliseconds that a call has to end, once it is told to. */
  readonly settleMs: number
  /** Told of what comes of a call after it was given up. */
  readonly onLate: (outcome: ToolOutcome) => void
  /** Gets what ends this call alone. */
  readonly onCut?: ((cut: Cut) => void) | undefined
}

/** Builds the context around the call's own signal. */
export type MakeContext = (cut: Cut) => ToolContext

/**
 * One attempt at one call, to its outcome. Never throws. A call that does not end when it is told to (cancel, time-out) is
 * left behind after `settleMs`, and its result says so.
 */
export async function execute(tool: Tool, input: unknown, makeContext: MakeContext, options: ExecuteOptions): Promise<ToolOutcome> {
  const { signal, clock } = options
  const cut = new Cut(signal)
  options.onCut?.(cut)
  const time = limitTime(tool.timeoutMs, clock, cut)
  try {
    const running = runToEnd(tool, input, makeContext(cut), cut)
    const settled = await settleBounded(running, { signal: cut, graceMs: options.settleMs, clock })
    // A call that ended well in spite of the cancel has done its work: that is never thrown away.
    if (settled?.ok) return wrapResult(settled.value)
    if (!settled) {
      void settle(running).then((late) => options.onLate(late.ok ? wrapResult(late.value) : thrown(late.error)))
      return time.isUp() ? timeout(tool, true) : cancelledOutcome(true)
    }
    if (time.isUp()) return { ...timeout(tool, false), error: settled.error }
    if (cut.aborted) return { ...cancelledOutcome(true), error: settled.error }
    return thrown(settled.error, tool.errorStack)
  } finally {
    cut.release()
    time.stop()
  }
}

/** Aborts the call when its time is up. */
export function limitTime(timeoutMs: number | undefined, clock: Clock, cut: Cut): { isUp(): boolean; stop(): void } {
  if (timeoutMs === undefined || timeoutMs === Infinity) return { isUp: () => false, stop: () => {} }
  const timer = new AbortController()
  let up = false
  void clock.sleep(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return
    up = true
    cut.abort(new Error(`The call took longer than ${timeoutMs} ms.`))
  })
  return { isUp: () => up, stop: () => timer.abort(notNeeded) }
}

/** A throw of the tool itself is a rejection like any other. */
const runToEnd = async (tool: Tool, input: unknown, context: ToolContext, cut: Cut): Promise<unknown> =>
  await valueOf(tool.run(input, context), context, cut)

const say = (text: string): readonly ToolResultContent[] => [{ type: 'text', text }]

/** An error result as the model reads it: name and message; the stack only where the tool asks for it. */
export function thrown(error: unknown, withStack = false): ToolOutcome {
  const said = error instanceof Error ? `${error.name || 'Error'}: ${error.message}` : `Error: ${shown(error)}`
  const frames = withStack && error instanceof Error ? framesOf(error) : ''
  return { status: 'error', content: say(said + frames), error }
}

/** The stack without the name and message that stand before it. */
const framesOf = ({ stack }: Error): string => /\n\s+at [^]*$/.exec(stack ?? '')?.[0] ?? ''

/** Anything can be thrown. */
function shown(thing: unknown): string {
  if (thing === undefined) return 'undefined'
  try {
    const value = readable(thing)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    return 'what was thrown cannot be shown'
  }
}

/** @param started may it have done something? */
export function cancelledOutcome(started: boolean): ToolOutcome {
  return {
    status: 'error',
    code: 'cancelled',
    content: say(started ? 'The call was cancelled while it ran. It may or may not have done its work.' : 'The call was cancelled.'),
  }
}

function timeout(tool: Tool, running: boolean): ToolOutcome {
  const rest = running ? ' It did not stop when it was told to, and may still do its work.' : ''
  return {
    status: 'error',
    code: 'timeout',
    content: say(`The call of ${tool.name} took longer than ${tool.timeoutMs} ms and was ended.${rest}`),
  }
}

/** The result of a call that was not allowed. */
export const denied = (reason: string): ToolOutcome => ({ status: 'error', code: 'denied', content: [{ type: 'text', text: reason }] })
