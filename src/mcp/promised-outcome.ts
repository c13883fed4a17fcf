import { text } from '../messages/content.ts'
import { readable } from '../tools/readable.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import type { JsonValue } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { structuredFault } from './structured-fault.ts'

/**
 * How a call ended, with the structured content that the tool's output schema promises: what the tool gave as such, else what it
 * returned. A client is told of the schema, and may refuse whatever does not fit; so that is an error result, which keeps what came.
 */
export async function promisedOutcome(tool: Tool | undefined, outcome: ToolOutcome): Promise<ToolOutcome> {
  const { outputSchema } = tool ?? {}
  if (!tool || !isObject(outputSchema) || outcome.status === 'error') return outcome
  const structuredContent = outcome.structuredContent === undefined ? structureOf(outcome) : outcome.structuredContent
  const fault = await structuredFault(structuredContent, outputSchema, tool.name, 'it promises')
  if (fault === undefined) return { ...outcome, structuredContent: structuredContent! }
  return { ...outcome, status: 'error', content: [...outcome.content, text(fault)] }
}

function structureOf({ content, value }: ToolOutcome): JsonValue | undefined {
  const [only] = content
  if (only?.type === 'json' && content.length === 1) return only.value
  // A result that says how it is shown says as well that there is no more to it.
  const isOutcome = isObject(value) && (value['status'] === 'success' || value['status'] === 'error') && 'content' in value
  return value === undefined || isOutcome ? undefined : readable(value)
}
