import { InputError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import { checkOptions, wholeFrom } from '../util/check-options.ts'
import type { ContextManager, ContextView } from './context-manager.ts'
import { fit } from './fit.ts'

export type SlidingWindowOptions = {
  /** The most messages that are kept. Default: as many as fit. At least 4: a prompt, a call, its result, an answer. */
  readonly messages?: number | undefined
  /** The most tokens that are kept, with the system prompt and the tools. Default: 80 % of the model's context window. */
  readonly tokens?: number | undefined
  /** What is never left out: the first so many messages, or those for which the function says so. Pairs stay whole. */
  readonly pin?: number | ((message: Message) => boolean) | undefined
}

/** When it has to cut it cuts down to this part, so that the beginning, which providers cache, stays the same for many turns. */
const step = 3 / 4
/** Part of the context window. */
const defaultAt = 0.8

/**
 * Leaves out the oldest messages once there are too many. What stays is legal: it begins with a user message, a call keeps its
 * result, and the prompt that is being worked on stays. The newest messages are never touched, but for results too large to fit,
 * which are shortened with a mark. Summaries are kept.
 *
 * It cuts by a quarter at a time. After the provider has refused a request it cuts by half.
 *
 * @throws {InputError} for options that cannot work.
 */
export function slidingWindow(options: SlidingWindowOptions = {}): ContextManager {
  checkOptions('slidingWindow', options, {
    messages: wholeFrom(4, 'messages'),
    tokens: wholeFrom(100, 'tokens'),
    pin: [
      'how many of the first messages stay, or a function of a message',
      (value) => typeof value === 'function' || (Number.isInteger(value) && (value as number) >= 0),
    ],
  })
  const { messages: most, tokens, pin } = options
  if (most !== undefined && typeof pin === 'number' && pin + 4 > most)
    throw new InputError(`slidingWindow(): ${pin} pinned messages leave no room in a window of ${most}. It needs at least ${pin + 4}.`)
  const pins = pinnedBy(pin)
  const limitOf = (view: ContextView): number => Math.min(tokens ?? Infinity, Math.floor(view.contextWindow * defaultAt))
  const shrink = (view: ContextView, part: number): readonly Message[] | undefined =>
    fit(view, { tokens: Math.floor(Math.min(limitOf(view), view.tokens) * part), isPinned: pins(view.messages) })
  return {
    name: 'sliding_window',
    async before(view) {
      const limit = limitOf(view)
      const tooMany = most !== undefined && view.messages.length > most
      if (view.tokens <= limit && !tooMany) return undefined
      return fit(view, {
        ...(view.tokens > limit && { tokens: Math.floor(limit * step) }),
        ...(tooMany && { messages: Math.max(3, pinCount(pin) + 3, Math.floor(most * step)) }),
        isPinned: pins(view.messages),
      })
    },
    reduce: async (view) => shrink(view, 1 / 2),
    compact: async (view) => shrink(view, 1 / 2),
  }
}

const pinCount = (pin: SlidingWindowOptions['pin']): number => (typeof pin === 'number' ? pin : 0)

/** The first messages are those of the history as it is now: they stay the first, since they are never left out. */
function pinnedBy(pin: SlidingWindowOptions['pin']): (messages: readonly Message[]) => (message: Message) => boolean {
  if (typeof pin === 'function') return () => pin
  return (messages) => {
    const first = new Set(messages.slice(0, pin ?? 0).map(({ id }) => id))
    return ({ id }) => first.has(id)
  }
}
