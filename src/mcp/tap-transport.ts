import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject } from '../util/json.ts'
import type { ClientSdk } from './sdk.ts'
import { wrapTask } from './wrapped-task.ts'

export type TapOptions = {
  readonly sdk: Pick<ClientSdk, 'isSpecType'>
  /** Told of each tool that is no tool. */
  readonly onBadTool: (said: string) => void
  /** Who is told how a request goes, by the token that it was sent with. */
  readonly progress: ReadonlyMap<string | number, RequestListener>
}

export type RequestListener = {
  readonly onProgress: (progress: Progress) => void
  /** Its result has come: what comes after it has nothing to do with it. Before the revision 2026-07-28, and not of one that goes on as a task. */
  readonly onAnswer?: (() => void) | undefined
}

export type Progress = { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }

/** With this a request says that it is one of the newest revisions. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** The code of a request whose answer can never come. Not one of the protocol's. */
export const streamEndedCode = -32_099

/**
 * Listens in on a transport, before the library gets it, for what the library leaves open: one bad tool would have it refuse the
 * whole list, so bad ones are taken out; the last progress of a request would be lost when its answer comes right behind it; a
 * result that does not say what it is, is a complete one, as the protocol has it; a task that comes instead of a result would be an
 * error, so it is wrapped; and a request whose stream of events ended without an answer would wait for its time limit, so it is
 * answered with an error.
 */
export function tapTransport<T extends Transport>(transport: T, { sdk, onBadTool, progress }: TapOptions): T {
  const requests = new Map<string | number, SentRequest>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (!('method' in message) || !('id' in message)) return send(message, options)
    const { id, method } = message
    const meta = (message.params?.['_meta'] ?? {}) as Readonly<Record<string, unknown>>
    requests.set(id, { method, isModern: versionKey in meta, token: meta['progressToken'] as SentRequest['token'] })
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.()
      // A subscription has its own way to learn of its end.
      if (requests.delete(id) && method !== 'subscriptions/listen')
        transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: streamEndedCode, message: 'The stream ended without an answer.' } })
    }
    return send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
      requests.delete(id)
      throw error
    })
  }
  // The library calls a listener that was there before its own.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message) {
      const token = message.method === 'notifications/progress' ? (message.params?.['progressToken'] as string | number) : undefined
      if (token !== undefined && typeof message.params?.['progress'] === 'number')
        progress.get(token)?.onProgress(message.params as Progress)
      return
    }
    if (!('id' in message) || message.id === undefined) return
    const request = requests.get(message.id)
    requests.delete(message.id)
    if (!request || !('result' in message) || !isObject(message.result)) return
    const result = message.result as Record<string, unknown>
    if (!request.isModern && request.token !== undefined && !isObject(result['task'])) progress.get(request.token)?.onAnswer?.()
    if (request.isModern) result['resultType'] ??= 'complete'
    if (request.isModern && request.method === 'tools/call') message.result = wrapTask(result)
    if (request.method !== 'tools/list' || !Array.isArray(result['tools'])) return
    result['tools'] = result['tools'].flatMap((tool: unknown) => {
      const filled = withObjectType(tool)
      if (sdk.isSpecType.Tool(filled)) return [filled]
      onBadTool(`it is not described as the protocol says: ${JSON.stringify(tool)?.slice(0, 200)}`)
      return []
    })
  }
  return transport
}

type SentRequest = { readonly method: string; readonly isModern: boolean; readonly token: string | number | undefined }

/** The library wants an input schema that says `type: "object"`; what else could it be? */
function withObjectType(tool: unknown): unknown {
  if (!isObject(tool)) return tool
  const schema = tool['inputSchema'] ?? {}
  return isObject(schema) && schema['type'] === undefined ? { ...tool, inputSchema: { type: 'object', ...schema } } : tool
}
