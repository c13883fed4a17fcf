import type { ModelRequest } from '../../models/model.ts'
import type { CassetteEntry, RecordedRequest } from './entries.ts'

/** A whole request. */
export function wholeRequest(request: ModelRequest): RecordedRequest {
  const { messages, ...fields } = JSON.parse(JSON.stringify(request)) as ModelRequest
  return { sameMessages: 0, messages, fields }
}

/** Requests of one run repeat each other: a cassette keeps of each what the one before did not say. */
export class RequestChain {
  #last: RecordedRequest = { sameMessages: 0, messages: [], fields: {} }

  /** What is kept of a whole request. */
  shorten(whole: RecordedRequest): RecordedRequest {
    const last = this.#last
    this.#last = whole
    let sameMessages = 0
    while (sameMessages < whole.messages.length && isSame(last.messages[sameMessages], whole.messages[sameMessages])) sameMessages++
    const names = new Set([...namesOf(whole.fields), ...namesOf(last.fields)])
    const fields = [...names].flatMap((name) => {
      const value = whole.fields[name]
      return isSame(last.fields[name], value) ? [] : [[name, value ?? null] as const]
    })
    return { sameMessages, messages: whole.messages.slice(sameMessages), fields: Object.fromEntries(fields) as RecordedRequest['fields'] }
  }

  /** The whole request of what is kept. */
  restore(kept: RecordedRequest): RecordedRequest {
    const { messages, fields } = this.#last
    const all = Object.entries({ ...fields, ...kept.fields }).filter(([, value]) => value !== null)
    this.#last = {
      sameMessages: 0,
      messages: [...messages.slice(0, kept.sameMessages), ...kept.messages],
      fields: Object.fromEntries(all) as RecordedRequest['fields'],
    }
    return this.#last
  }
}

/** The entries of a cassette, each with its whole request. */
export function withWholeRequests(entries: readonly CassetteEntry[]): readonly CassetteEntry[] {
  const chain = new RequestChain()
  return entries.map((entry) => (entry.type === 'model_start' ? { ...entry, request: chain.restore(entry.request) } : entry))
}

const namesOf = (fields: RecordedRequest['fields']): (keyof RecordedRequest['fields'])[] =>
  Object.keys(fields) as (keyof RecordedRequest['fields'])[]

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
