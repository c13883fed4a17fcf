import { ToolDefinitionError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import type { ToolProvider } from './provider.ts'
import { checkToolName, checkTraits } from './tool.ts'
import type { Tool } from './tool.ts'
import { expectValidation } from './validate-json-schema.ts'

/** @throws {ToolDefinitionError} that says what is missing for it to be a tool. */
export function checkTool(tool: unknown): asserts tool is Tool {
  if ((typeof tool !== 'object' && typeof tool !== 'function') || tool === null)
    throw new ToolDefinitionError(`A tool is made by tool({ … }); got ${tool === null ? 'null' : typeof tool}.`)
  const { name, description, inputSchema, run } = tool as Partial<Tool>
  if (typeof run !== 'function')
    throw new ToolDefinitionError(
      `This is not a tool: ${typeof tool === 'function' ? `the function "${tool.name}" has` : 'the object has'} no run(input, context). Make it with tool({ name, description, inputSchema, execute }).`,
    )
  checkToolName(name)
  if (typeof description !== 'string') throw new ToolDefinitionError(`The tool "${name}" needs a description, got ${typeof description}.`)
  if (!isObject(inputSchema))
    throw new ToolDefinitionError(`The tool "${name}" needs an inputSchema (a JSON Schema object), got ${typeof inputSchema}.`)
  checkTraits(tool, `The tool "${name}"`)
  if ((tool as Tool).validate === undefined) expectValidation()
}

export const isProvider = (source: unknown): source is ToolProvider =>
  typeof source === 'object' && source !== null && typeof (source as Partial<ToolProvider>).loadTools === 'function'

/** @throws {ToolDefinitionError} that says what is missing for it to be a provider. */
export function checkProvider(provider: ToolProvider): void {
  const { name } = provider as { readonly name?: unknown }
  if (typeof name !== 'string' || name === '')
    throw new ToolDefinitionError(`A tool provider needs a name, for messages; got ${typeof name}.`)
  for (const method of ['addConsumer', 'removeConsumer'] as const)
    if (typeof provider[method] !== 'function')
      throw new ToolDefinitionError(
        `The tool provider "${name}" has no ${method}(consumer). A provider is { name, loadTools, addConsumer, removeConsumer }.`,
      )
}
