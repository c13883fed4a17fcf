import { aBound, checkOptions } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { wellFormed } from '../util/json.ts'
import { pageOf } from './page.ts'
import { noRoom, notKept } from './store-errors.ts'
import type { OwnResultStore } from './result-store.ts'
import { checkConversation, checkPut, checkRead } from './store-calls.ts'

export type MemoryResultsOptions = {
  /** Characters of all results together. Default: 64 Mi, some 64 to 128 MB. */
  readonly maxChars?: number | undefined
}

type Entry = { readonly text: string; readonly conversationId: string }

/**
 * Results in memory, gone with the process. When there is no room for a new one the oldest go, of any conversation, and
 * reading them then says so; one that is larger than the whole store is refused.
 *
 * @throws {InputError} for a bound that is no positive number.
 */
export function memoryResults(options: MemoryResultsOptions = {}): OwnResultStore {
  checkOptions('memoryResults', options, { maxChars: aBound } satisfies RulesOf<MemoryResultsOptions>)
  const { maxChars = 64 * 1024 * 1024 } = options
  const entries = new Map<string, Entry>()
  let chars = 0
  const drop = (path: string, { text }: Entry): void => {
    if (entries.delete(path)) chars -= text.length
  }
  return {
    async put(result, options) {
      checkPut(result, options)
      const { text, conversationId } = result
      if (text.length > maxChars) throw noRoom(`${text.length} characters`, `${maxChars}`)
      for (const [path, entry] of entries) {
        if (chars + text.length <= maxChars) break
        drop(path, entry)
      }
      const path = `memory:${globalThis.crypto.randomUUID()}`
      entries.set(path, { text: wellFormed(text), conversationId })
      chars += text.length
      return { path }
    },
    async read(path, options) {
      const { offset, limit } = checkRead(path, options)
      const entry = entries.get(path)
      if (!entry) throw notKept(path)
      return pageOf(entry.text, offset, limit)
    },
    owns: async (path) => entries.has(path),
    async remove(conversationId) {
      checkConversation(conversationId)
      for (const [path, entry] of entries) if (entry.conversationId === conversationId) drop(path, entry)
    },
  }
}
