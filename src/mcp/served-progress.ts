import type { ServerContext } from '@modelcontextprotocol/server'
import { settle } from '../util/abort.ts'
import type { JsonValue } from '../util/json.ts'
import { isObject } from '../util/json.ts'

/** Progress goes to a caller who asked for it; the numbers only ever grow, as the protocol wants. */
export function servedProgress({ mcpReq }: ServerContext): (value: JsonValue) => Promise<void> {
  const progressToken = mcpReq._meta?.progressToken
  let last = 0
  return async (value) => {
    if (progressToken === undefined) return
    const { progress, total, message } = isObject(value) ? value : {}
    last = typeof progress === 'number' && progress > last ? progress : last + 1
    const said =
      typeof message === 'string' ? message : typeof value === 'string' ? value : isProgress(value) ? undefined : JSON.stringify(value)
    const params = {
      progressToken,
      progress: last,
      ...(typeof total === 'number' && { total }),
      ...(said !== undefined && { message: said }),
    }
    // A caller who has gone is told nothing; the call learns of it by its signal.
    await settle(mcpReq.notify({ method: 'notifications/progress', params }))
  }
}

const isProgress = (value: JsonValue): boolean => isObject(value) && typeof value['progress'] === 'number'
