import { reasonOf } from '../util/abort.ts'
import { frozenCopy } from '../util/json.ts'
import type { SessionRecord } from './entry.ts'
import { checkSessionId } from './session-id.ts'
import type { SessionStore } from './session-store.ts'

/** Sessions that last as long as the process: for tests, and for agents that share one conversation. */
export function memorySessions(): Required<SessionStore> {
  const logs = new Map<string, SessionRecord[]>()
  const check = (id: string, { signal }: { readonly signal: AbortSignal }): void => {
    checkSessionId(id)
    if (signal.aborted) throw reasonOf(signal)
  }
  return {
    async load(id, options) {
      check(id, options)
      const log = logs.get(id) ?? []
      return { records: log.slice(Number(options.after ?? 0)), cursor: String(log.length), warnings: [] }
    },
    async append(id, records, options) {
      check(id, options)
      const added = frozenCopy(records)
      if (added.length === 0) return
      const log = logs.get(id) ?? []
      // Put in anew: the last changed stands last.
      logs.delete(id)
      logs.set(id, log)
      for (const record of added) log.push(record)
    },
    async list({ signal }) {
      if (signal.aborted) throw reasonOf(signal)
      return [...logs].map(([id, log]) => ({ id, updated: log.at(-1)!.time })).reverse()
    },
    async remove(id, options) {
      check(id, options)
      logs.delete(id)
    },
  }
}
