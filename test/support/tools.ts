import type { ToolContext, ToolTraits } from '../../src/tools/tool.ts'
import { tool } from '../../src/tools/tool.ts'
import type { FunctionTool } from '../../src/tools/tool.ts'
import { jsonSchema } from '../../src/tools/schema.ts'

export type AtInput = { readonly at: number }
export const atSchema = jsonSchema<AtInput>({ type: 'object', properties: { at: { type: 'number' } }, required: ['at'] })
// The validator is loaded at its first use. Here it is used, so that no test counts turns of the event loop on a cold start.
await atSchema['~standard'].validate({ at: 0 })

type Execute = (input: AtInput, context: ToolContext) => unknown

/** A tool that takes a number and does what the test says. */
export const toolNamed = (
  name: string,
  execute: Execute,
  traits: ToolTraits<AtInput> = {},
): FunctionTool<string, typeof atSchema, unknown> =>
  tool({ name, description: `The tool ${name}.`, inputSchema: atSchema, ...traits, execute })

/** Only observes, may run beside others. */
export const look = (execute: Execute = ({ at }) => `seen ${at}`): FunctionTool<string, typeof atSchema, unknown> =>
  toolNamed('look', execute, { isReadOnly: true, isConcurrencySafe: true })

/** Changes something. */
export const write = (execute: Execute = ({ at }) => `written ${at}`): FunctionTool<string, typeof atSchema, unknown> =>
  toolNamed('write', execute)
