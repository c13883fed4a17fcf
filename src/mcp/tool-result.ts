import type { CallToolResult } from '@modelcontextprotocol/client'
import type { ToolResultContent } from '../messages/content.ts'
import { text } from '../messages/content.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { JsonValue } from '../util/json.ts'
import { contentFrom } from './result-content.ts'
import { structuredFault } from './structured-fault.ts'

export type ResultOptions = {
  readonly toolName: string
  readonly outputSchema: JsonSchema | undefined
  readonly mediaTypes: readonly string[]
}

/** A server's answer to a call, as a tool's outcome. Structured content is kept, and checked against the tool's output schema. */
export async function outcomeFrom(result: CallToolResult, options: ResultOptions): Promise<ToolOutcome> {
  const content = (result.content ?? []).map((block) => contentFrom(block, options.mediaTypes))
  const structuredContent = result.structuredContent as JsonValue | undefined
  const shown = content.length > 0 || structuredContent === undefined ? content : [text(JSON.stringify(structuredContent))]
  const structured = structuredContent !== undefined && { structuredContent }
  if (result.isError) return { status: 'error', content: shown, ...structured }
  const { outputSchema, toolName } = options
  const fault = outputSchema && (await structuredFault(structuredContent, outputSchema, toolName, 'its server promises'))
  if (fault === undefined) return { status: 'success', content: shown, ...structured }
  return { status: 'error', content: [...shown, text(fault)], ...structured }
}

/** What comes back instead of content where a call failed, for the model. */
export const failed = (said: string, rest: Partial<ToolOutcome> = {}): ToolOutcome => ({
  status: 'error',
  content: [{ type: 'text', text: said } satisfies ToolResultContent],
  ...rest,
})
