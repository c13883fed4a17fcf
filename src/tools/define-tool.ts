import { ToolDefinitionError } from '../errors.ts'
import { toolNamePattern } from '../messages/normalise.ts'
import { describe } from '../util/describe.ts'
import { didYouMean } from '../util/text.ts'
import { directContext } from './direct-context.ts'
import { compileSchema, isSchema } from './schema.ts'
import type { Schema } from './standard-schema.ts'
import type { Tool, ToolContext, ToolTraits } from './tool.ts'

/** What every way of making a tool has in common. */
export type CommonDefinition = ToolTraits<any> & {
  readonly name: string
  readonly description: string
  readonly inputSchema: Schema
  readonly outputSchema?: Schema | undefined
}

export type Run = (input: any, context: ToolContext) => unknown

/** What a tool may say of itself. */
export const traitNames = [
  'isReadOnly',
  'isDestructive',
  'isConcurrencySafe',
  'needsApproval',
  'access',
  'maxResultChars',
  'timeoutMs',
  'settleMs',
  'strict',
  'errorStack',
  'supportsHotReload',
] as const

/**
 * Checks a definition and compiles its schemas, once; what is left is to say what runs.
 *
 * @throws {ToolDefinitionError} that says what is missing.
 */
export function defineTool(definition: CommonDefinition): (run: Run) => Tool {
  checkCommon(definition)
  const { name, description } = definition
  const { jsonSchema, validate } = compileSchema(definition.inputSchema, `The tool "${name}": inputSchema`)
  const output = definition.outputSchema && compileSchema(definition.outputSchema, `The tool "${name}": outputSchema`).jsonSchema
  return (run) => {
    const properties: Record<string, unknown> = { name, description, inputSchema: jsonSchema, validate, run }
    if (output) properties['outputSchema'] = output
    for (const key of traitNames) if (definition[key] !== undefined) properties[key] = definition[key]
    return withProperties(callable(name, run), properties)
  }
}

/** A tool as a function: straight to what runs, in a context of no run unless one is given. */
export const callable =
  (name: string, run: Run) =>
  (input: unknown, context?: Partial<ToolContext>): unknown =>
    run(input, directContext(name, input, context))

/** Nobody changes them by accident. `name` of a function is not writable, only configurable. */
export function withProperties(target: object, properties: Readonly<Record<string, unknown>>): Tool {
  for (const [key, value] of Object.entries(properties)) Object.defineProperty(target, key, { value, enumerable: true })
  return target as Tool
}

function checkCommon({ name, description, inputSchema, outputSchema, ...traits }: CommonDefinition): void {
  checkToolName(name)
  const named = `The tool "${name}"`
  if (typeof description !== 'string' || description.trim() === '')
    throw new ToolDefinitionError(`${named} needs a description: the model chooses tools by it.`)
  if (!isSchema(inputSchema))
    throw new ToolDefinitionError(
      `${named} needs an inputSchema: a zod schema, another Standard Schema, or a JSON Schema object; got ${describe(inputSchema)}.`,
    )
  if (outputSchema !== undefined && !isSchema(outputSchema))
    throw new ToolDefinitionError(
      `${named}: outputSchema must be a zod schema, another Standard Schema, or a JSON Schema object; got ${describe(outputSchema)}.`,
    )
  refuseUnknownKeys(traits, named)
  checkTraits(traits, named)
}

/** @throws {ToolDefinitionError} */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !toolNamePattern.test(name)) {
    throw new ToolDefinitionError(
      `A tool's name has 1 to 64 letters, digits, "_" or "-"; got ${typeof name === 'string' ? JSON.stringify(name) : typeof name}.`,
    )
  }
}

/** What else a definition may have. The last are those of a tool: one may be spread into the definition of another. */
const definitionNames = ['name', 'description', 'inputSchema', 'outputSchema', 'execute', 'worker', ...traitNames]
const toolNames = ['run', 'validate', 'passesSteps']

function refuseUnknownKeys(definition: object, named: string): void {
  for (const [key, value] of Object.entries(definition))
    if (value !== undefined && !definitionNames.includes(key) && !toolNames.includes(key))
      throw new ToolDefinitionError(
        `${named} has no option "${key}".${didYouMean(key, definitionNames)} A tool has ${definitionNames.join(', ')}.`,
      )
}

/** @throws {ToolDefinitionError} */
export function checkTraits(traits: ToolTraits<unknown>, named: string): void {
  const kinds: readonly [keyof ToolTraits<unknown>, readonly string[]][] = [
    ['isReadOnly', ['boolean', 'function']],
    ['isDestructive', ['boolean', 'function']],
    ['isConcurrencySafe', ['boolean', 'string', 'function']],
    ['needsApproval', ['boolean', 'function']],
    ['access', ['function']],
    ['strict', ['boolean']],
    ['errorStack', ['boolean']],
    ['supportsHotReload', ['boolean']],
  ]
  for (const [key, allowed] of kinds) {
    const value = traits[key]
    if (value !== undefined && !allowed.includes(typeof value))
      throw new ToolDefinitionError(`${named}: ${key} must be a ${allowed.join(' or ')}, got ${typeof value}.`)
  }
  for (const key of ['timeoutMs', 'settleMs', 'maxResultChars'] as const) {
    const value = traits[key]
    if (value !== undefined && (typeof value !== 'number' || !(value >= (key === 'settleMs' ? 0 : 1))))
      throw new ToolDefinitionError(`${named}: ${key} must be a positive number, got ${String(value)}.`)
  }
}
