import { AgentError, ModelError } from '../errors.ts'
import { text } from '../messages/content.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../messages/usage.ts'
import { nameOf } from '../models/model.ts'
import type { Model } from '../models/model.ts'
import { childController, reasonOf, settleOrAbort } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'
import { freezeOwn, wellFormed } from '../util/json.ts'
import { isBlank } from '../util/text.ts'
import type { ContextView } from './context-manager.ts'

export type SummaryRequest = {
  readonly instructions: string
  readonly text: string
  readonly maxTokens: number
  readonly signal: AbortSignal
} & Pick<ContextView, 'ask' | 'spend'>

/** How long a stream may stay open after its end, in milliseconds: what was used may come then. */
const trailingMs = 2000
/** The same once that has come, too. */
const endingMs = 100

/**
 * One call of a model with one text, without tools. What it used is told, whatever came of it.
 *
 * @throws what the model throws; {ModelError} when it says nothing or refuses; the reason of the signal when it fires.
 */
export async function askForSummary(model: Model, asked: SummaryRequest): Promise<string> {
  const { instructions, text: said, maxTokens, signal, spend } = asked
  const ask = asked.ask ?? ((to, request, options) => to.stream(request, options))
  const { controller, release } = childController(signal)
  let answer = ''
  let usage: Usage | undefined
  let stopReason: string | undefined
  const request = freezeOwn({
    system: [text(instructions)],
    messages: [{ role: 'user' as const, content: [text(wellFormed(said))] }],
    tools: [],
    toolChoice: 'auto' as const,
    settings: { maxTokens },
  })
  // Usage may come before or after the end, and what stands around the stream goes on when that has ended; one that stays open is left.
  let leave: (() => void) | undefined
  const left = new Promise<void>((resolve) => (leave = resolve))
  const read = async (): Promise<void> => {
    for await (const event of ask(model, request, { signal: controller.signal })) {
      if (event.type === 'block_delta' && event.delta.type === 'text') answer += event.delta.text
      else if (event.type === 'redaction' && event.target === 'output') answer = event.replacement
      else if (event.type === 'message_stop') {
        stopReason = event.stopReason
        void systemClock.sleep(trailingMs, controller.signal).then(leave)
      } else if (event.type === 'metadata' && event.usage)
        usage = event.cumulative ? replaceUsage(usage ?? noUsage, event.usage) : addUsage(usage ?? noUsage, event.usage)
      if (stopReason !== undefined && usage) void systemClock.sleep(endingMs, controller.signal).then(leave)
    }
  }
  try {
    const settled = await settleOrAbort(Promise.race([read(), left]), signal)
    if (!settled) throw reasonOf(signal)
    // A connection that breaks behind the end has lost nothing.
    if (!settled.ok && stopReason === undefined) throw modelError(settled.error, model)
  } finally {
    controller.abort('not needed any more')
    release()
    if (usage) spend?.(usage, nameOf(model))
  }
  if (stopReason !== 'end_turn' && stopReason !== 'max_tokens' && stopReason !== 'stop_sequence')
    throw new ModelError(`${nameOf(model)} gave no summary: it ended with "${stopReason ?? 'a cut stream'}".`, { provider: model.provider })
  if (isBlank(answer))
    throw new ModelError(
      `${nameOf(model)} gave an empty summary. A model that thinks may need more than ${maxTokens} tokens: raise maxSummaryTokens.`,
      { provider: model.provider },
    )
  return answer.trim()
}

function modelError(thrown: unknown, { provider }: Model): AgentError {
  if (AgentError.isInstance(thrown)) return thrown
  return new ModelError(`The model failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { provider, cause: thrown })
}
