import type { Server, Tool as McpTool } from '@modelcontextprotocol/server'
import type { Tool } from '../tools/tool.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import type { ServerSdk } from './sdk.ts'
import type { ServedCalls } from './served-calls.ts'
import { resultFrom } from './served-result.ts'

export type ServedOptions = {
  readonly sdk: ServerSdk
  readonly name: string
  readonly version: string
  readonly instructions: string | undefined
  readonly tools: readonly Tool[]
  readonly calls: ServedCalls
}

/**
 * A server of the official library that answers for the tools. One is made for each connection; over HTTP for each session, and where
 * there are none for each request.
 */
export function serverOf({ sdk, name, version, instructions, tools, calls }: ServedOptions): Server {
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) })
  const promises = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]))
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const input = (params.arguments ?? {}) as JsonObject
    const protocolVersion = server.getNegotiatedProtocolVersion()
    const outcome = await calls.run({ name: params.name, input, context, protocolVersion })
    // Before the newest revision only an object may be structured content: the library puts other values into one, and their schemas.
    return server.projectCallToolResult(resultFrom(outcome), promises.get(params.name))
  })
  return server
}

function describe(tool: Tool): McpTool {
  const hints = {
    ...(typeof tool.isReadOnly === 'boolean' && { readOnlyHint: tool.isReadOnly }),
    // What a tool says nothing of is not destructive to us, and destructive to the protocol.
    ...(typeof tool.isDestructive !== 'function' && { destructiveHint: tool.isDestructive ?? false }),
  }
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: 'object' },
    ...(isObject(tool.outputSchema) && { outputSchema: tool.outputSchema }),
    annotations: hints,
  }
}
