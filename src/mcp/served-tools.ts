import type { Server, ServerContext, Tool as McpTool } from '@modelcontextprotocol/server'
import { directContext } from '../tools/direct-context.ts'
import { execute } from '../tools/execute.ts'
import { resolveCall } from '../tools/resolve-call.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import type { Clock } from '../util/clock.ts'
import { randomIds } from '../util/ids.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { settle } from '../util/abort.ts'
import type { ServerSdk } from './sdk.ts'
import { resultFrom } from './served-result.ts'

export type ServedOptions = {
  readonly sdk: ServerSdk
  readonly name: string
  readonly version: string
  readonly instructions: string | undefined
  readonly tools: readonly Tool[]
  readonly clock: Clock
}

/** A server of the official library that answers for the tools. One is made for each connection, over HTTP for each request. */
export function serverOf({ sdk, name, version, instructions, tools, clock }: ServedOptions): Server {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const input = (params.arguments ?? {}) as JsonObject
    // Not counted: over HTTP each request has a server of its own, and no two calls may have the same key.
    const toolUse = { type: 'tool_use', id: randomIds.next('call'), name: params.name, input } as const
    const { tool, parsed, flags, refused } = await resolveCall({ toolUse, tool: byName.get(params.name), input, names: [...byName.keys()] })
    if (refused || !tool) return resultFrom(refused!)
    const progress = progressTo(context)
    const settleMs = tool.settleMs ?? (flags.readOnly ? 0 : 2000)
    const outcome: ToolOutcome = await execute(
      tool,
      parsed,
      (cut) => directContext(tool.name, input, { toolUse, idempotencyKey: toolUse.id, signal: cut.signal, progress }),
      { signal: context.mcpReq.signal, clock, settleMs, onLate: () => {} },
    )
    return resultFrom(outcome)
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
    annotations: hints,
  }
}

/** Progress goes to a caller who asked for it; the numbers only ever grow, as the protocol wants. */
function progressTo({ mcpReq }: ServerContext): (value: JsonValue) => Promise<void> {
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
