import type { Message } from '../messages/message.ts'
import { checkOptions, fraction, wholeFrom } from '../util/check-options.ts'
import type { ContextManager, ContextView } from './context-manager.ts'
import { tokensWith } from './estimate-tokens.ts'
import { olderThan } from './older-results.ts'
import { shortenResults } from './shorten-results.ts'

export type TruncateResultsOptions = {
  /** How many of the newest messages with results stay whole. Default 5. */
  readonly keep?: number | undefined
  /** Characters that stay of an older result, three quarters of them from its beginning. Default 500; 0 leaves the mark alone. */
  readonly maxChars?: number | undefined
  /** From which part of the context window on. Default 0.8. */
  readonly at?: number | undefined
}

/** Less than this part of the limit is not worth a new beginning, which no provider has cached. */
export const worthwhile = 1 / 10

/**
 * Shortens the results of old calls once the history is too long: a mark says how much is gone, images and documents of a long
 * result go too. Calls, ids and all else stay as they are. Put it before a window or a summary (`contextManagers`): it
 * costs nothing, and loses what the model can ask for again.
 *
 * @throws {InputError} for options that cannot work.
 */
export function truncateResults(options: TruncateResultsOptions = {}): ContextManager {
  checkOptions('truncateResults', options, { keep: wholeFrom(0, 'messages'), maxChars: wholeFrom(0, 'characters'), at: fraction })
  const { keep = 5, maxChars = 500, at = 0.8 } = options
  const shorten = ({ messages }: ContextView): readonly Message[] | undefined => {
    const newest = olderThan(messages, keep)
    let changed = false
    const shorter = messages.map((message, index) => {
      const made = index < newest ? shortenResults(message, maxChars) : undefined
      if (made) changed = true
      return made ?? message
    })
    return changed ? shorter : undefined
  }
  return {
    name: 'truncate_results',
    async before(view) {
      const limit = Math.floor(view.contextWindow * at)
      if (view.tokens <= limit) return undefined
      const shorter = shorten(view)
      if (!shorter) return undefined
      return view.tokens - tokensWith(view, shorter) >= limit * worthwhile ? shorter : undefined
    },
    reduce: async (view) => shorten(view),
    compact: async (view) => shorten(view),
  }
}
