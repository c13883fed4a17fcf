import type { JsonBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { toolUsesOf } from '../messages/message.ts'
import { keepResult } from '../results/keep-result.ts'
import { referenceTo } from '../results/reference.ts'
import type { ResultStore } from '../results/result-store.ts'
import { settleOrAbort } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'
import { freezeOwn } from '../util/json.ts'
import { anything, checkOptions, fraction, wholeFrom } from '../util/check-options.ts'
import type { ContextManager, ContextView } from './context-manager.ts'
import { tokensWith } from './estimate-tokens.ts'
import { olderThan } from './older-results.ts'
import { charsOf, shortenResults } from './shorten-results.ts'
import { worthwhile } from './truncate-results.ts'

export type OffloadResultsOptions = {
  /** How many of the newest messages with results stay whole. Default 5. */
  readonly keep?: number | undefined
  /** Characters from which on a result is moved. Default 4,000; at least 1,000 more than `previewChars`. */
  readonly minChars?: number | undefined
  /** Characters of its beginning that stay. Default 500. */
  readonly previewChars?: number | undefined
  /** From which part of the context window on. Default 0.8. */
  readonly at?: number | undefined
}

/** What the words around a preview take: for less a result is not worth moving. */
const frameChars = 1000
const graceMs = 1000

type Place = { readonly message: Message; readonly result: ToolResultBlock; readonly call: ToolUseBlock | undefined }
type Moved = ReadonlyMap<ToolResultBlock, ToolResultBlock>

/**
 * Moves the large results of old calls to the agent's result store once the history is too long. A reference stays in the place of each,
 * with its beginning and how to read on, so the model can have all of it again. What it had read from the store is shortened instead: it is
 * there already. Calls, ids and all else stay as they are. Put it before a window or a summary (`contextManagers`).
 *
 * A result that cannot be stored stays, and that is a warning.
 *
 * @throws {InputError} for options that cannot work.
 */
export function offloadResults(options: OffloadResultsOptions = {}): ContextManager {
  const rules = { keep: wholeFrom(0, 'messages'), previewChars: wholeFrom(0, 'characters'), minChars: anything, at: fraction }
  checkOptions('offloadResults', options, rules)
  const least = (options.previewChars ?? 500) + frameChars
  checkOptions('offloadResults', options, { ...rules, minChars: wholeFrom(least, 'characters') })
  const { keep = 5, previewChars = 500, minChars = Math.max(4000, least), at = 0.8 } = options
  // Somebody may not want the new history: what is stored already is not stored again.
  const known = new WeakMap<ToolResultBlock, ToolResultBlock>()

  const offload = async (view: ContextView, leastGain: number): Promise<readonly Message[] | undefined> => {
    if (!view.results) return undefined
    const places = placesIn(view.messages.slice(0, olderThan(view.messages, keep)), minChars)
    const sketch = replaced(view.messages, new Map(places.map(({ message, result }) => [result, sketchOf(message, result, previewChars)])))
    if (places.length === 0 || view.tokens - tokensWith(view, sketch) < leastGain) return undefined
    const moved = await moveAll(places, view, previewChars, known)
    return moved.size > 0 ? replaced(view.messages, moved) : undefined
  }
  return {
    name: 'offload_results',
    async before(view) {
      const limit = Math.floor(view.contextWindow * at)
      return view.tokens > limit ? await offload(view, limit * worthwhile) : undefined
    },
    reduce: async (view) => await offload(view, 1),
    compact: async (view) => await offload(view, 1),
  }
}

function placesIn(messages: readonly Message[], minChars: number): readonly Place[] {
  return messages.flatMap((message, index) =>
    message.role === 'user'
      ? message.content.flatMap((result): readonly Place[] => {
          if (result.type !== 'tool_result' || charsOf(result) < minChars || isReference(result)) return []
          return [{ message, result, call: toolUsesOf(messages[index - 1]).find(({ id }) => id === result.toolUseId) }]
        })
      : [],
  )
}

/** By its text: one that only looks like a reference stays, and that is all. */
const isReference = ({ content: [first] }: ToolResultBlock): boolean =>
  first?.type === 'text' && first.text.startsWith('<persisted-output path="')

const replaced = (messages: readonly Message[], moved: Moved): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'user' || !message.content.some((block) => moved.has(block as ToolResultBlock))) return message
    return freezeOwn({ ...message, content: message.content.map((block) => moved.get(block as ToolResultBlock) ?? block) })
  })

/** About what will stand there: enough to tell whether it is worth the writing. */
function sketchOf(message: Message, result: ToolResultBlock, previewChars: number): ToolResultBlock {
  const short = shortenResults({ ...message, content: [result] } as Message, previewChars + frameChars / 2)
  return (short?.content[0] as ToolResultBlock | undefined) ?? result
}

async function moveAll(
  places: readonly Place[],
  view: ContextView,
  previewChars: number,
  known: WeakMap<ToolResultBlock, ToolResultBlock>,
): Promise<Moved> {
  const moved = new Map<ToolResultBlock, ToolResultBlock>()
  for (const place of places) {
    if (view.signal.aborted) break
    const there = known.get(place.result)
    const made = there ?? (await moveOne(place, view, previewChars))
    if ('failure' in made) {
      // The others would fare no better.
      await view.warn?.(`A result could not be stored (${made.failure}); it stays in the history.`)
      break
    }
    known.set(place.result, made)
    moved.set(place.result, made)
  }
  return moved
}

async function moveOne(
  { message, result, call }: Place,
  { results, signal }: ContextView,
  previewChars: number,
): Promise<ToolResultBlock | { readonly failure: string }> {
  const { store, conversationId, reader } = results!
  if (call && (await isFromStore(call, store, signal))) return sketchOf(message, result, previewChars)
  const text = result.content.flatMap((part) => (isText(part) ? [written(part)] : [])).join('\n')
  const toStore = { text, callId: result.toolUseId, conversationId, ...(call && { toolName: call.name }) }
  const kept = await keepResult(store, toStore, { signal, graceMs, clock: systemClock })
  if ('failure' in kept) return kept
  const shown = { text, previewChars, why: 'too many to keep here any longer' }
  const reference: TextBlock = { type: 'text', text: referenceTo(kept.path, shown, reader()) }
  const { type, toolUseId, status, code } = result
  // Without the structured content: it would hold what was taken away.
  const content = [reference, ...result.content.filter((part) => !isText(part))]
  return freezeOwn({ type, toolUseId, status, ...(code && { code }), content })
}

const isText = (part: ToolResultBlock['content'][number]): part is TextBlock | JsonBlock => part.type === 'text' || part.type === 'json'
const written = (part: TextBlock | JsonBlock): string => (part.type === 'text' ? part.text : (JSON.stringify(part.value) ?? 'null'))

/** Was it made of a stored result? Then it can be made again. */
async function isFromStore({ input }: ToolUseBlock, store: ResultStore, signal: AbortSignal): Promise<boolean> {
  const path = input['path']
  if (typeof path !== 'string') return false
  const settled = await settleOrAbort(
    Promise.resolve().then(() => store.owns(path)),
    signal,
  )
  return settled?.ok === true && settled.value
}
