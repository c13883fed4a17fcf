import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'
import { checkOptions, having } from '../../util/check-options.ts'
import { boundRules, boundsOf, surplusOf } from './undo-log.ts'
import type { Change, UndoBounds, UndoLog } from './undo-log.ts'

/** Keeps old content in memory, as long as the log is used. */
export function memoryUndo(options: UndoBounds & { readonly clock?: Pick<Clock, 'now'> | undefined } = {}): UndoLog {
  checkOptions('memoryUndo', options, { ...boundRules, clock: having('a clock', 'now') })
  const bounds = boundsOf(options)
  const { clock = systemClock } = options
  const kept = new Map<string, { readonly change: Change; readonly content: Uint8Array | undefined }>()
  let count = 0
  const changes = (): readonly Change[] => Array.from(kept.values(), ({ change }) => change)
  return {
    async keep({ path, before, writtenHash }) {
      const bytes = before?.content.length ?? 0
      if (bytes > Math.min(bounds.maxFileBytes, bounds.maxBytes)) return undefined
      const id = String(++count).padStart(8, '0')
      const change = { id, path, at: clock.now(), before: before && { mode: before.mode, bytes }, writtenHash }
      kept.set(id, { change, content: before?.content })
      for (const old of surplusOf(changes(), bounds)) kept.delete(old.id)
      return id
    },
    forget: async (id) => void kept.delete(id),
    changes: async () => changes(),
    contentOf: async (id) => kept.get(id)?.content,
  }
}
