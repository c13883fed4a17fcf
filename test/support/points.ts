import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentStream } from '../../src/agent/stream.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { AgentError } from '../../src/errors.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import type { InterruptResponse } from '../../src/interrupts/interrupt.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { tick } from '../../src/util/clock.ts'
import { nextPrompt } from './invariant.ts'

/** What befalls the n-th piece of other people's code that a run calls. */
export type Mishap = 'throws' | 'hangs' | 'leaves' | 'cancels'
/** How a run goes on from where it stopped: in the same agent by answers alone, or from its state as JSON. */
export type Way = 'by answers' | 'by state'

/** Every hook of a turn. */
export const turnHooks: readonly HookName[] = [
  'beforeInvocation',
  'afterInvocation',
  'messageAdded',
  'beforeModelCall',
  'afterModelCall',
  'beforeTools',
  'afterTools',
  'beforeToolCall',
  'afterToolCall',
]

/** Counts the calls of other people's code, and has the n-th go wrong. */
export class Points {
  /** How many there were. */
  count = 0
  /** Where the mishap happened; `undefined` when the run did not come so far. */
  at: string | undefined
  /** Nothing is counted any more once this is false. */
  isArmed = true
  #isLeaving = false
  readonly #n: number
  readonly #mishap: Mishap
  readonly #cancel: () => void
  readonly #onMishap: () => void

  constructor(n: number, mishap: Mishap, { cancel, onMishap = () => {} }: { readonly cancel: () => void; readonly onMishap?: () => void }) {
    this.#n = n
    this.#mishap = mishap
    this.#cancel = cancel
    this.#onMishap = onMishap
  }

  readonly point = async (kind: string): Promise<void> => {
    if (!this.isArmed || this.count++ !== this.#n) return
    this.at = kind
    this.#onMishap()
    if (this.#mishap === 'throws') throw new Error('mishap')
    if (this.#mishap === 'leaves') this.#isLeaving = true
    if (this.#mishap === 'cancels') this.#cancel()
    if (this.#mishap !== 'hangs') return
    void tick().then(this.#cancel)
    await new Promise(() => {})
  }

  /** The result of a stream whose reader comes to a point with each event. Read to its end or not, what counts is the result. */
  read(stream: AgentStream, kindOf: (event: AgentEvent) => string = ({ type }) => `reader ${type}`): Promise<AgentResult> {
    const read = async (): Promise<void> => {
      for await (const event of stream) {
        if (this.#isLeaving) break
        await this.point(kindOf(event))
        if (this.#isLeaving) break
      }
    }
    // A hanging reader does not come back.
    void read().catch(() => {})
    // Reading `result` at once would lift the back-pressure.
    return tick().then(() => stream.result)
  }
}

/**
 * Runs until nobody asks any more, answering `true`. Gives the stop reasons in order, or the code of the error that ended it.
 *
 * @param options.atOnce how many questions are answered in one go; what was answered is kept for the rest.
 */
export async function answerToTheEnd(
  once: (input: AgentInput) => Promise<AgentResult>,
  { way, runs, atOnce = Infinity }: { readonly way: Way; readonly runs: number; readonly atOnce?: number },
): Promise<readonly string[]> {
  const stops: string[] = []
  let input: AgentInput = 'go'
  for (let run = 0; run < runs; run++) {
    const result: AgentResult | string = await once(input).catch((error: AgentError) => error.code)
    stops.push(typeof result === 'string' ? result : result.stopReason)
    if (typeof result === 'string' || !result.checkpoint) break
    const responses: readonly InterruptResponse[] = result.interrupts.slice(0, atOnce).map((interrupt) => answer(interrupt, true))
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint
    if (way === 'by state') input = { type: 'resume', checkpoint, responses }
    else input = responses.length > 0 ? responses : undefined
  }
  return stops
}

/** Is this the prompt that asks whether the agent still works? */
export function isNextPrompt({ messages }: ModelRequest): boolean {
  const last = messages.at(-1)?.content.at(-1)
  return last?.type === 'text' && last.text === nextPrompt
}

export const turnsIn = ({ messages }: ModelRequest): number => messages.filter(({ role }) => role === 'assistant').length
