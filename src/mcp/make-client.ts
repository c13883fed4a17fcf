import type { Client } from '@modelcontextprotocol/client'
import type { McpClientOptions } from './options.ts'
import type { ClientSdk } from './sdk.ts'
import { answerQuestions, capabilitiesOf } from './server-questions.ts'
import type { QuestionOptions } from './server-questions.ts'

export type MakeClientOptions = {
  readonly options: McpClientOptions
  readonly startTimeoutMs: number
  readonly questions: QuestionOptions
  readonly onToolsChanged: () => void
}

/** A server may list its tools page by page; one that never comes to an end is cut off. */
const mostPages = 1000
/** A program that says nothing to the newest revision's first request is taken for an old one after this. */
const probeMs = 10_000

/** A client of the official library with all that is offered to the server. `legacy`: it does not ask for the newest revision. */
export function makeClient(sdk: ClientSdk, version: 'legacy' | undefined, made: MakeClientOptions): Client {
  const { options, startTimeoutMs, questions, onToolsChanged } = made
  const { protocolVersion } = options
  const isModern = protocolVersion !== undefined && protocolVersion >= '2026'
  const mode = isModern
    ? { pin: protocolVersion }
    : version === 'legacy' || protocolVersion !== undefined
      ? ('legacy' as const)
      : ('auto' as const)
  const client = new sdk.Client(
    { name: 'lena-agent', version: '0.1.0' },
    {
      capabilities: capabilitiesOf(questions),
      versionNegotiation: { mode, probe: { timeoutMs: 'url' in options ? startTimeoutMs : Math.min(probeMs, startTimeoutMs / 2) } },
      ...(protocolVersion !== undefined && !isModern && { supportedProtocolVersions: [protocolVersion] }),
      listMaxPages: mostPages,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
      // Results are checked by the agent's own validator, which tells the model what is wrong.
      jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
    },
  )
  answerQuestions(client, sdk, questions)
  return client
}
