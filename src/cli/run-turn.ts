import type { Agent, AgentEvent, UserBlock } from '../index.ts'
import { errorText } from './error-text.ts'
import { codeOfCause, codeOfError, codeOfStop } from './exit-code.ts'
import type { Environment } from './io.ts'
import type { LineReader } from './line-reader.ts'
import type { Notes } from './notes.ts'
import { stopNote } from './notes.ts'
import type { Renderer } from './renderer.ts'
import { stoppedError } from './stop.ts'
import type { Stop } from './stop.ts'

export type Turn = {
  readonly agent: Agent
  readonly prompt: string | readonly UserBlock[]
  readonly renderer: Renderer
  readonly notes: Notes
  readonly stop: Stop
  readonly env: Environment
  readonly maxTurns: number
  /** Where a person sits: what they type in the turn is kept from the output, and Ctrl-C is a key. */
  readonly desk?: Pick<LineReader, 'listen'> | undefined
}

export type TurnEnd = {
  readonly code: number
  /** It was not waited for: the program is to end now. */
  readonly left: boolean
}

/** One prompt through the agent, shown as it goes. Gives the exit code; never throws. */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const { stop, desk } = turn
  const release = desk?.listen({ interrupt: () => stop.interrupt(), lost: () => stop.hangUp() })
  try {
    return await shownToItsEnd(turn)
  } finally {
    release?.()
  }
}

async function shownToItsEnd({ agent, prompt, renderer, notes, stop, env, maxTurns }: Turn): Promise<TurnEnd> {
  let isLeft = false
  // What still comes of a run that was left is nobody's any more.
  const onEvent = (event: AgentEvent): void | Promise<void> => (isLeft ? undefined : renderer.onEvent(event))
  const run = agent.invoke(prompt, { signal: stop.signal, onEvent })
  const outcome = run.then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  const ended = await Promise.race([outcome, stop.leave])
  if (!ended) {
    isLeft = true
    await renderer.onError(stoppedError(stop))
    return { code: codeOfCause[stop.cause ?? 'interrupt'], left: true }
  }
  if (ended.result) {
    const { stopReason } = ended.result
    await renderer.onResult(ended.result)
    const note = stopNote(stopReason, maxTurns)
    if (note !== undefined) notes.note(note)
    return { code: stopReason === 'cancelled' && stop.cause ? codeOfCause[stop.cause] : codeOfStop(stopReason), left: false }
  }
  await renderer.onError(ended.error)
  notes.error(errorText(ended.error, env))
  return { code: stop.cause ? codeOfCause[stop.cause] : codeOfError(ended.error), left: false }
}
