import type { ServerContext } from '@modelcontextprotocol/server'
import { notNeeded, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonValue } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { headOf } from '../util/text.ts'

/** So many reports go out at once; after that one in so many milliseconds, the newest. */
const [atOnce, everyMs] = [10, 100]
/** Of a message, as characters. */
const longest = 1000

export type ServedProgress = {
  /** Tells the caller, or keeps the report until it is its time. Resolves when it is sent or kept. */
  readonly tell: (value: JsonValue) => Promise<void>
  /** The call has ended: sends what was kept. Nothing is told any more after it. */
  readonly end: () => Promise<void>
}

/**
 * Progress for a caller who asked for it; `undefined` for one who did not. The numbers only ever grow, as the protocol wants. Of reports that
 * come faster than anybody reads, the older ones are left out: newer ones say more.
 */
export function servedProgress({ mcpReq }: Pick<ServerContext, 'mcpReq'>, clock: Clock): ServedProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  const timer = new AbortController()
  let last = 0
  let allowed = atOnce
  let countedAt = clock.now()
  let kept: { readonly value: JsonValue } | undefined

  async function send(value: JsonValue): Promise<void> {
    const { progress, total } = isObject(value) ? value : {}
    last = typeof progress === 'number' && progress > last ? progress : last + 1
    const message = messageOf(value)
    const params = { progressToken, progress: last, ...(typeof total === 'number' && { total }), ...(message !== undefined && { message }) }
    // A caller who has gone is told nothing; the call learns of it by its signal.
    await settle(mcpReq.notify({ method: 'notifications/progress', params }))
  }

  async function sendLater(): Promise<void> {
    await clock.sleep(everyMs, timer.signal)
    if (timer.signal.aborted || !kept) return
    const { value } = kept
    kept = undefined
    countedAt = clock.now()
    await send(value)
  }

  return {
    tell: async (value) => {
      if (timer.signal.aborted) return
      const now = clock.now()
      allowed = Math.min(atOnce, allowed + Math.max(0, now - countedAt) / everyMs)
      countedAt = now
      if (kept || allowed < 1) {
        if (!kept) void sendLater()
        kept = { value }
        return
      }
      allowed--
      await send(value)
    },
    end: async () => {
      timer.abort(notNeeded)
      if (kept) await send(kept.value)
      kept = undefined
    },
  }
}

function messageOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return headOf(value, longest)
  if (!isObject(value)) return headOf(JSON.stringify(value) ?? '', longest)
  const { progress, message } = value
  if (typeof message === 'string') return headOf(message, longest)
  return typeof progress === 'number' ? undefined : headOf(JSON.stringify(value), longest)
}
