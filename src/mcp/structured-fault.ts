import { validateJsonSchema } from '../tools/validate-json-schema.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { JsonValue } from '../util/json.ts'

/** What is wrong with a structured result, if anything. `promise` is whose it is: `its server promises`. */
export async function structuredFault(
  value: JsonValue | undefined,
  outputSchema: JsonSchema,
  toolName: string,
  promise: string,
): Promise<string | undefined> {
  if (value === undefined) return `The tool ${toolName} ran, but gave no structured result, although ${promise} one.`
  try {
    const { issues } = await validateJsonSchema(outputSchema, value)
    if (issues === undefined) return undefined
    const lines = issues.slice(0, 10).map(({ path = [], message }) => `- ${path.map(String).join('.') || 'result'}: ${message}`)
    return `The tool ${toolName} ran, but its structured result is not what ${promise}:\n${lines.join('\n')}`
  } catch (error) {
    return `The tool ${toolName} ran, but its output schema cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}
