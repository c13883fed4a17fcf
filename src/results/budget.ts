import type { ToolResultBlock, ToolResultContent } from '../messages/content.ts'
import type { Bound } from '../util/bounded.ts'
import { freezeOwn } from '../util/json.ts'
import { keepResult } from './keep-result.ts'
import { cutOff, referenceTo } from './reference.ts'
import type { ResultReader, ResultStore } from './result-store.ts'
import { largeStructured, says } from './structured.ts'

/** Characters of one result that go to the model, unless its tool says otherwise (`maxResultChars`). */
export const defaultResultChars = 30_000
/** Characters of all results of a turn together. */
const defaultTurnChars = 200_000
/** Characters that are shown of a result that is stored. */
const defaultPreviewChars = 2000
/** The most that the words around a preview take, so that moving a result is worth it. */
const frameChars = 1000
/** About what a path takes, and how to read on from it. */
const pathChars = 200

export type BudgetOptions = {
  readonly store: ResultStore
  readonly conversationId: string
  /** Asked once there is something to read: the tool that the model is told to read on with. */
  readonly reader: () => ResultReader | undefined
  /** For the wait on the store. */
  readonly bound: Bound
  readonly previewChars?: number | undefined
}

/** What came of a result that was too large. */
export type Budgeted = {
  /** What stands in the history. */
  readonly result: ToolResultBlock
  /** Fields of the event `result_persisted`; `undefined` when the store failed. */
  readonly persisted?: { readonly callId: string; readonly ref: string; readonly chars: number } | undefined
  /** Fields of a `warning`: the store failed, and what the result had is lost but for its beginning. */
  readonly warning?: { readonly code: 'result_not_stored'; readonly message: string } | undefined
}

/** Results that this module made. By identity, never by what a text says: a tool can write whatever it likes. */
const shortened = new WeakSet<ToolResultBlock>()

/** Is this the reference to a result (or the rest of one that could not be stored) in place of the result itself? */
const isShortened = (result: ToolResultBlock): boolean => shortened.has(result)

/**
 * Holds one result to the budget of its tool: what has more than `maxChars` characters in its text and JSON blocks goes to the
 * store, whole, and a reference takes its place, with how to read on and the first 2,000 characters. Images and documents
 * stay. Error results are held to it like others. Structured content that is longer than that alone goes to the store too, and is
 * left out of the result. What a reference would not make shorter stays as it is.
 *
 * Gives `undefined`, at once, for a result that fits. Never throws and never rejects: when the store fails the result is cut, with a
 * mark that says how much is lost and why.
 *
 * @param options.maxChars the tool's `maxResultChars`; default 30,000, `Infinity` opts out.
 */
export function budgetResult(
  result: ToolResultBlock,
  options: BudgetOptions & { readonly toolName?: string | undefined; readonly maxChars?: number | undefined },
): Promise<Budgeted> | undefined {
  const { maxChars = defaultResultChars, previewChars = defaultPreviewChars } = options
  if (maxChars === Infinity || isShortened(result)) return undefined
  const isLong = charsOf(result) > maxChars
  const structured = largeStructured(result, maxChars)
  if (!isLong && structured === undefined) return undefined
  const why = isLong ? 'too many to show here' : 'of structured content, too many to keep here'
  const shown = { text: whole(result, isLong, structured), previewChars: Math.min(previewChars, maxChars), why }
  if (shown.text.length <= referenceTo('', shown, undefined).length + pathChars) return undefined
  return shorten(result, { isLong, structured, why, toolName: options.toolName }, { ...options, previewChars: shown.previewChars })
}

/** One result of a turn, and what its tool says of it. */
export type TurnResult = {
  readonly result: ToolResultBlock
  readonly toolName?: string | undefined
  /** `Infinity`: it counts, but is never moved. */
  readonly maxChars?: number | undefined
}

/**
 * Holds the results of a turn to their common budget: while they are too long together the largest goes to the store, of two
 * equal ones the first. What is a reference already, what has `maxChars: Infinity`, and what a reference would not make
 * shorter, stays.
 *
 * Gives `undefined`, at once, when all fit; else what came of each result that was moved, in the order of the calls. Never throws
 * and never rejects.
 *
 * @param options.maxChars of all results together; default 200,000.
 */
export function budgetTurn(
  results: readonly TurnResult[],
  options: BudgetOptions & { readonly maxChars?: number | undefined },
): Promise<readonly Budgeted[]> | undefined {
  const { maxChars = defaultTurnChars } = options
  if (maxChars === Infinity) return undefined
  const sizes = results.map(({ result }) => charsOf(result))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return total <= maxChars ? undefined : moveLargest(results, sizes, total, { ...options, maxChars })
}

async function moveLargest(
  results: readonly TurnResult[],
  sizes: readonly number[],
  total: number,
  options: BudgetOptions & { readonly maxChars: number },
): Promise<readonly Budgeted[]> {
  const { previewChars = defaultPreviewChars, maxChars } = options
  const movable = results
    .map((entry, index) => ({ ...entry, index, size: sizes[index]! }))
    .filter(({ result, maxChars, size }) => maxChars !== Infinity && !isShortened(result) && size > previewChars + frameChars)
    .sort((a, b) => b.size - a.size)
  const moved = new Map<number, Budgeted>()
  let left = total
  for (const { result, toolName, index, size } of movable) {
    if (left <= maxChars) break
    const structured = largeStructured(result, defaultResultChars)
    const why = 'and the results of this turn are too long together'
    const budgeted = await shorten(result, { isLong: true, structured, why, toolName }, options)
    moved.set(index, budgeted)
    left += charsOf(budgeted.result) - size
  }
  return [...moved].sort(([a], [b]) => a - b).map(([, budgeted]) => budgeted)
}

/** What is too large of a result. */
type TooLarge = {
  /** Its text: the reference takes its place. Else the reference is put behind what it says. */
  readonly isLong: boolean
  /** Its structured content, as it is written. */
  readonly structured: string | undefined
  readonly why: string
  readonly toolName: string | undefined
}

async function shorten(
  result: ToolResultBlock,
  { isLong, structured, why, toolName }: TooLarge,
  { store, conversationId, reader, bound, previewChars = defaultPreviewChars }: BudgetOptions,
): Promise<Budgeted> {
  const { toolUseId: callId } = result
  const text = whole(result, isLong, structured)
  const kept = await keepResult(store, { text, callId, conversationId, ...(toolName !== undefined && { toolName }) }, bound)
  const shown = { text, previewChars, why }
  const { structuredContent: _, ...rest } = result
  const left = structured === undefined ? result : rest
  const withText = isLong ? inPlace : behind
  if ('path' in kept) {
    return {
      result: withText(left, referenceTo(kept.path, shown, readerNow(reader))),
      persisted: { callId, ref: kept.path, chars: text.length },
    }
  }
  return {
    result: withText(left, cutOff(shown, kept.failure)),
    warning: {
      code: 'result_not_stored',
      message: `The result of the call ${callId}${toolName === undefined ? '' : ` of ${toolName}`} has ${text.length} characters and could not be stored (${kept.failure}); the model sees only its beginning.`,
    },
  }
}

/** Without a reader the reference still says where the result is. */
function readerNow(reader: BudgetOptions['reader']): ResultReader | undefined {
  try {
    return reader()
  } catch {
    return undefined
  }
}

/** Characters that count: of text as it is, of JSON as it is written. Images and documents have a size of another kind. */
function charsOf({ content }: ToolResultBlock): number {
  let chars = 0
  for (const block of content) chars += written(block)?.length ?? 0
  return chars
}

const textIn = ({ content }: ToolResultBlock): string => content.flatMap((block) => written(block) ?? []).join('\n')

function written(block: ToolResultContent): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'json' ? (JSON.stringify(block.value) ?? 'null') : undefined
}

/** What goes to the store: nothing of it twice. */
function whole(result: ToolResultBlock, isLong: boolean, structured: string | undefined): string {
  const text = isLong ? textIn(result) : ''
  if (structured === undefined || says(text, result, structured)) return text
  return text === '' ? structured : `${text}\n${structured}`
}

/** The same result with a text behind the content that it has. */
function behind(result: ToolResultBlock, text: string): ToolResultBlock {
  const made: ToolResultBlock = freezeOwn({ ...result, content: [...result.content, { type: 'text', text }] })
  shortened.add(made)
  return made
}

/** The same result with one text in the place of all its text. Other content stays, in its order. */
function inPlace(result: ToolResultBlock, text: string): ToolResultBlock {
  const first = result.content.findIndex((block) => written(block) !== undefined)
  const content = result.content.flatMap((block, index): readonly ToolResultContent[] => {
    if (index === first) return [{ type: 'text', text }]
    return block.type === 'text' || block.type === 'json' ? [] : [block]
  })
  const made: ToolResultBlock = freezeOwn({ ...result, content })
  shortened.add(made)
  return made
}
