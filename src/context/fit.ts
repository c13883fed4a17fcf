import type { ToolResultBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { ContextView } from './context-manager.ts'
import { charsPerToken, tokensWith } from './estimate-tokens.ts'
import { charsOf, shortenResults } from './shorten-results.ts'
import { isSummary, joinUnits, openerBefore, sameMessages, unitsOf } from './units.ts'
import type { Unit } from './units.ts'

export type FitTarget = {
  readonly tokens?: number | undefined
  readonly messages?: number | undefined
  readonly isPinned?: ((message: Message) => boolean) | undefined
}

/** A result that alone takes this part of the room is shortened, instead of all that stands before it being dropped. */
const giant = 1 / 2
/** When there is nothing more to drop: large results first, then smaller ones. Below that the words around them are most of it. */
const shares = [1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128]

/** The characters of tokens that a media block counts for are of no use to it: by rule it is long, whatever it holds. */
const mediaTokens = 1500

/**
 * The history made to fit: giant results shortened, then the oldest units left out, then the results that stay shortened, as far as need be. The
 * prompt that the first kept message belongs to stays, and what is pinned, and the newest unit. `undefined`: nothing can be done.
 */
export function fit(view: ContextView, target: FitTarget): readonly Message[] | undefined {
  let { messages } = view
  // Counted by what goes: what the provider counted holds the prompt and the tools, too.
  const over = (now: readonly Message[]): number => (target.tokens === undefined ? 0 : tokensWith(view, now) - target.tokens)
  messages = shortenTo(messages, view, over(messages) > 0 ? target.tokens : undefined, giant)
  messages = cut(messages, view, target, over(messages))
  for (const share of shares) if (over(messages) > 0) messages = shortenTo(messages, view, target.tokens, share)
  return sameMessages(messages, view.messages) ? undefined : messages
}

/** Shortens each result that takes more than `share` of the room to a quarter of the room (of an eighth, where that is the limit). */
function shortenTo(messages: readonly Message[], view: ContextView, tokens: number | undefined, share: number): readonly Message[] {
  if (tokens === undefined) return messages
  const chars = charsPerToken(view.model)
  const limit = Math.floor(tokens * share * chars)
  const size = (result: ToolResultBlock): number => sizeOf(result, chars)
  return messages.map((message) => {
    const hasGiant = message.content.some((block) => block.type === 'tool_result' && size(block) > limit)
    return hasGiant ? (shortenResults(message, Math.floor(limit / 2), size) ?? message) : message
  })
}

const sizeOf = (result: ToolResultBlock, chars: number): number =>
  charsOf(result) + result.content.filter(({ type }) => type === 'image' || type === 'document').length * mediaTokens * chars

function cut(messages: readonly Message[], view: ContextView, target: FitTarget, excess: number): readonly Message[] {
  const most = target.messages ?? Infinity
  // What is too much may be the system prompt and the tools alone.
  if (messages.length === 0 || (excess <= 0 && messages.length <= most)) return messages
  const units = unitsOf(messages, view.model)
  const pinned = pinnedUnits(units, target.isPinned)
  const start = startOf(units, pinned, { tokens: excess, messages: messages.length - most })
  const opener = units[start]!.opens ? -1 : openerBefore(units, start)
  return joinUnits(units, (index) => index >= start || index === opener || pinned.has(index), view.ids)
}

/** The first unit that stays: as few go as will do, and never the newest. */
function startOf(
  units: readonly Unit[],
  pinned: ReadonlySet<number>,
  need: { readonly tokens: number; readonly messages: number },
): number {
  let tokens = 0
  let messages = 0
  let opener = -1
  for (let start = 0; start < units.length - 1; start++) {
    const stays = !units[start]!.opens && opener >= 0 && !pinned.has(opener) ? units[opener] : undefined
    // Between what is pinned and a prompt a bridge may be needed.
    const bridges = pinned.size > 0 ? 1 : 0
    const goneTokens = tokens - (stays?.tokens ?? 0)
    const goneMessages = messages - (stays?.messages.length ?? 0) - bridges
    if (start > 0 && goneTokens >= need.tokens && goneMessages >= need.messages) return start
    const unit = units[start]!
    if (unit.opens && !unit.isBridge) opener = start
    if (pinned.has(start)) continue
    tokens += unit.tokens
    messages += unit.messages.length
  }
  return units.length - 1
}

/** A summary stands for what is gone: it stays. A pinned call keeps its result, and the other way round. */
function pinnedUnits(units: readonly Unit[], isPinned: FitTarget['isPinned']): ReadonlySet<number> {
  const pinned = new Set<number>()
  units.forEach(({ messages }, index) => {
    for (const message of messages) if (isSummary(message) || isPinned?.(message)) pinned.add(index)
  })
  return pinned
}
