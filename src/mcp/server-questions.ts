import type { Client, ClientCapabilities, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import type { McpClientSettings, McpElicitation, McpElicitationAnswer, McpLog } from './options.ts'
import type { ClientSdk } from './sdk.ts'

export type QuestionOptions = Pick<McpClientSettings, 'elicitation' | 'sampling' | 'roots'> & {
  readonly name: string
  /** Answers while a call is under way, and no time of its limit passes. */
  readonly ask: <T>(answer: () => T | Promise<T>) => Promise<T>
  /** Asks by interrupting the call that is under way. */
  readonly interrupt: (elicitation: McpElicitation) => McpElicitationAnswer
  readonly onLog: (log: McpLog) => void
}

/** What the server is told of this client's abilities. */
export function capabilitiesOf({ elicitation, sampling, roots }: QuestionOptions): ClientCapabilities {
  return {
    ...(elicitation && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  }
}

/** Answers what servers ask of a client, those too that ask what they were not offered. */
export function answerQuestions(client: Client, sdk: ClientSdk, options: QuestionOptions): void {
  const { elicitation, sampling, roots, name, ask } = options
  if (elicitation)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const question = elicitationFrom(params, name)
      const answer = await ask(() =>
        elicitation === 'interrupt' ? options.interrupt(question) : elicitation(question, { signal: mcpReq.signal }),
      )
      return answer as ElicitResult
    })
  if (sampling)
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      return (await ask(() => sampling(params as unknown as JsonObject, { signal: mcpReq.signal }))) as never
    })
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ ...root })) }))
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === 'roots/list') return { roots: [] }
    const said =
      method === 'sampling/createMessage'
        ? 'This client gives no text of a model.'
        : method === 'elicitation/create'
          ? 'Nobody is there to be asked.'
          : `Method not found: ${method}`
    throw new sdk.ProtocolError(-32_601, said)
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const { level, logger, data } = params
    options.onLog({ level: level, ...(logger !== undefined && { logger }), data })
  })
}

function elicitationFrom(params: ElicitRequestParams, server: string): McpElicitation {
  if (params.mode === 'url') {
    const { message, url, elicitationId } = params as { message: string; url: string; elicitationId?: string }
    return { mode: 'url', server, message, url, ...(elicitationId !== undefined && { elicitationId }) }
  }
  return { mode: 'form', server, message: params.message, requestedSchema: (params as { requestedSchema: JsonObject }).requestedSchema }
}

/**
 * What a person answered to an interrupt, as the server is told: `{ action, content }` as it is; true, or an object of the
 * form's fields, accepts; anything else declines.
 */
export function answerFrom(given: unknown): McpElicitationAnswer {
  if (given === true) return { action: 'accept', content: {} }
  if (!isObject(given)) return { action: 'decline' }
  const { action, content } = given
  if (action === 'decline' || action === 'cancel') return { action }
  if (action === 'accept') return { action, ...(isObject(content) && { content: content as JsonObject }) }
  return { action: 'accept', content: given as JsonObject }
}
