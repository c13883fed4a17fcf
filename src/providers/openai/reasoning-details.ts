import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'

/** What of a detail comes in pieces. */
const pieces = ['text', 'summary', 'data'] as const

/**
 * What a router tells of the thoughts of other providers' models (`reasoning_details`): texts with their signatures, summaries,
 * what is encrypted. It wants the list back as it was before it was cut into pieces; without it some models refuse to go on.
 */
export class ReasoningDetails {
  readonly #details: Record<string, JsonValue | undefined>[] = []

  /** Takes what a chunk tells; gives its words, for those who are told them in no other way. */
  read(told: readonly unknown[]): string {
    let words = ''
    for (const detail of told) {
      if (!isObject(detail)) continue
      words += wordsOf(detail)
      const open = this.#details.at(-1)
      if (open && isSame(open, detail as JsonObject)) extend(open, detail as JsonObject)
      else this.#details.push({ ...(detail as JsonObject) })
    }
    return words
  }

  /** All of them, whole. */
  all(): readonly JsonObject[] {
    return this.#details
  }
}

/** Is it the next piece of that one? */
function isSame(open: JsonObject, next: JsonObject): boolean {
  if (open['type'] !== next['type'] || open['index'] !== next['index']) return false
  // Behind its signature a thought is over, and what is encrypted comes whole where it has an id.
  if (typeof open['signature'] === 'string' && open['signature'] !== '' && typeof next['text'] === 'string' && next['text'] !== '')
    return false
  return typeof open['id'] !== 'string' || typeof next['id'] !== 'string' || open['id'] === next['id']
}

function extend(open: Record<string, JsonValue | undefined>, next: JsonObject): void {
  for (const [key, value] of Object.entries(next)) {
    if (value === undefined || value === null) continue
    const before = open[key]
    const isPiece = (pieces as readonly string[]).includes(key) && typeof before === 'string' && typeof value === 'string'
    open[key] = isPiece ? before + value : value
  }
}

function wordsOf(detail: Record<string, unknown>): string {
  const { text, summary } = detail
  return typeof text === 'string' ? text : typeof summary === 'string' ? summary : ''
}
