import { reasonOf } from '../util/abort.ts'
import type { SessionRecord } from './entry.ts'
import type { OwnSessionStore } from './session-store.ts'
import { checkAppend, checkList, checkLoad, checkRemove, countIn } from './store-calls.ts'

/** Sessions that last as long as the process: for tests, and for agents that share one conversation. */
export function memorySessions(): OwnSessionStore {
  const logs = new Map<string, SessionRecord[]>()
  const refuseAborted = (signal: AbortSignal): void => {
    if (signal.aborted) throw reasonOf(signal)
  }
  return {
    async load(id, options) {
      const { after, signal } = checkLoad(id, options)
      refuseAborted(signal)
      const log = logs.get(id) ?? []
      return { records: log.slice(countIn(after)), cursor: String(log.length), warnings: [] }
    },
    async append(id, records, options) {
      const { records: added, signal } = checkAppend(id, records, options)
      refuseAborted(signal)
      if (added.length === 0) return
      const log = logs.get(id) ?? []
      // Put in anew: the last changed stands last.
      logs.delete(id)
      logs.set(id, log)
      for (const record of added) log.push(record)
    },
    async list(options) {
      refuseAborted(checkList(options))
      return [...logs].map(([id, log]) => ({ id, updated: log.at(-1)!.time })).reverse()
    },
    async remove(id, options) {
      refuseAborted(checkRemove(id, options))
      logs.delete(id)
    },
  }
}
