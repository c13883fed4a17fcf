import type { Client, ClientCapabilities } from '@modelcontextprotocol/client'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import type { McpClientSettings, McpElicitation, McpElicitationAnswer, McpLog } from './options.ts'
import type { ClientSdk } from './sdk.ts'
import { taskExtension } from './wrapped-task.ts'

export type QuestionOptions = Pick<McpClientSettings, 'elicitation' | 'sampling' | 'roots'> & {
  readonly name: string
  /** Answers while a call is under way, and no time of its limit passes. */
  readonly ask: <T>(answer: () => T | Promise<T>) => Promise<T>
  /** Asks by interrupting the call that is under way. */
  readonly interrupt: (elicitation: McpElicitation) => McpElicitationAnswer
  readonly onLog: (log: McpLog) => void
}

/** What a server asks of its client, by whatever way it came. */
export type ServerRequest = { readonly method: string; readonly params?: JsonObject | undefined }

type Answer = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>

/** What the server is told of this client's abilities. */
export function capabilitiesOf({ elicitation, sampling, roots }: QuestionOptions): ClientCapabilities {
  return {
    ...(elicitation && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
    extensions: { [taskExtension]: {} },
  }
}

/** Answers what servers ask of a client, those too that ask what they were not offered. */
export function answerQuestions(client: Client, sdk: ClientSdk, options: QuestionOptions): void {
  const answers = answersOf(options)
  for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const) {
    const answer = answers[method]
    if (answer)
      client.setRequestHandler(
        method,
        async ({ params }, { mcpReq }) => (await answer((params ?? {}) as JsonObject, mcpReq.signal)) as never,
      )
  }
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === 'roots/list') return { roots: [] }
    throw new sdk.ProtocolError(-32_601, refusalOf(method))
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const { level, logger, data } = params
    options.onLog({ level: level, ...(logger !== undefined && { logger }), data })
  })
}

/** Answers a question that came as part of something else. @throws for one that nobody answers. */
export async function answerRequest({ method, params }: ServerRequest, signal: AbortSignal, options: QuestionOptions): Promise<JsonObject> {
  const answer = answersOf(options)[method]
  if (answer) return await answer(params ?? {}, signal)
  if (method === 'roots/list') return { roots: [] }
  throw new Error(refusalOf(method))
}

function answersOf({ elicitation, sampling, roots, name, ask, interrupt }: QuestionOptions): Readonly<Record<string, Answer>> {
  return {
    ...(elicitation && {
      'elicitation/create': async (params, signal) => {
        const question = elicitationFrom(params, name)
        const answer = await ask(() => (elicitation === 'interrupt' ? interrupt(question) : elicitation(question, { signal })))
        return withDefaults(answer, question)
      },
    }),
    ...(sampling && { 'sampling/createMessage': (params, signal) => ask(() => sampling(params, { signal })) }),
    ...(roots && { 'roots/list': async () => ({ roots: roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })) }) }),
  }
}

function refusalOf(method: string): string {
  if (method === 'sampling/createMessage') return 'This client gives no text of a model.'
  if (method === 'elicitation/create') return 'Nobody is there to be asked.'
  return `Method not found: ${method}`
}

function elicitationFrom(params: JsonObject, server: string): McpElicitation {
  const { message, url, elicitationId, requestedSchema } = params as unknown as Record<string, string> & { requestedSchema?: JsonObject }
  if (params['mode'] === 'url')
    return {
      mode: 'url',
      server,
      message: message ?? '',
      url: url ?? '',
      ...(elicitationId !== undefined && { elicitationId }),
    }
  return { mode: 'form', server, message: message ?? '', requestedSchema: requestedSchema ?? {} }
}

/** The answer as the protocol has it: a form that is accepted has the defaults of the fields that were left out. */
function withDefaults({ action, content }: McpElicitationAnswer, question: McpElicitation): JsonObject {
  // Only a form has something to hand over.
  if (action !== 'accept' || question.mode !== 'form') return { action }
  const { properties } = question.requestedSchema
  const defaults = Object.entries(isObject(properties) ? properties : {}).flatMap(([field, schema]) =>
    isObject(schema) && schema['default'] !== undefined && content?.[field] === undefined ? [[field, schema['default']] as const] : [],
  )
  return { action, content: { ...content, ...Object.fromEntries(defaults) } }
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
