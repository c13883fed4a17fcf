import type { AgentHandle } from '../agent/handle.ts'
import { NotYetError, ToolDefinitionError } from '../errors.ts'
import type { ToolResultCode, ToolResultContent } from '../messages/content.ts'
import { toolNamePattern } from '../messages/normalise.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { compileSchema } from './schema.ts'
import type { InferInput, InferOutput, Schema, StandardResult } from './standard-schema.ts'

export type Flag<In> = boolean | ((input: In) => boolean)
/** A string is a key: calls with different keys run together, those of one key one after another. */
export type ConcurrencyFlag<In> = boolean | string | ((input: In) => boolean | string)

/** What is promised of a tool. Not stated means: not read-only, not destructive, not safe beside others. */
export type ToolTraits<In> = {
  /** It only observes. */
  readonly isReadOnly?: Flag<In> | undefined
  /** What it does cannot be undone. */
  readonly isDestructive?: Flag<In> | undefined
  /** It may run beside other calls. */
  readonly isConcurrencySafe?: ConcurrencyFlag<In> | undefined
  readonly needsApproval?: Flag<In> | undefined
  /** Characters of a result that go to the model. */
  readonly maxResultChars?: number | undefined
  /** Milliseconds; none unless given. */
  readonly timeoutMs?: number | undefined
  /** How long a call may take to end once it was cancelled or timed out, in milliseconds: 0 for read-only tools, 2,000 for others. */
  readonly settleMs?: number | undefined
  /** Unknown keys in the input are an error. Without it they are ignored. */
  readonly strict?: boolean | undefined
}

/** The port: whatever has this shape is a tool. */
export interface Tool<In = any, Out = any> extends ToolTraits<In> {
  readonly name: string
  readonly description: string
  /** As the model is told of it. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  /** Checks the model's input. Without it the input is checked against `inputSchema`. */
  validate?(input: unknown): StandardResult<In> | Promise<StandardResult<In>>
  run(input: In, context: ToolContext): Out
}

/** What a running tool gets beside its input. */
export interface ToolContext {
  readonly toolUse: { readonly id: string; readonly name: string; readonly input: JsonObject }
  /** The same for every attempt at this call, after a restart too: give it to services that must not act twice. */
  readonly idempotencyKey: string
  readonly agent: AgentHandle
  readonly invocationState: Record<string, unknown>
  /** JSON that lives with the agent. */
  readonly state: Record<string, JsonValue>
  /** Fires when the run is cancelled or the call's time is up. */
  readonly signal: AbortSignal
  /** Tells the consumer how it goes. Resolves when the consumer is ready for more. */
  progress(value: JsonValue): Promise<void>
  /** Ends the run with `end_turn` and this text, once the results of the turn are stored. */
  endTurn(text?: string): void
  /** Asks a person. */
  interrupt<T = JsonValue>(request: { readonly name: string; readonly reason?: JsonValue | undefined }): T
}

/** How one call ended. */
export type ToolOutcome = {
  readonly status: 'success' | 'error'
  readonly code?: ToolResultCode | undefined
  /** What the model reads. */
  readonly content: readonly ToolResultContent[]
  readonly structuredContent?: JsonValue | undefined
  /** What the tool returned, as it was. */
  readonly value?: unknown
  /** What the tool threw. */
  readonly error?: unknown
}

export interface ToolDefinition<Name extends string, S extends Schema, Out> extends ToolTraits<InferOutput<S>> {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: Name
  /** What it does and when to use it, for the model. */
  readonly description: string
  /** zod 4, another Standard Schema library, or a plain JSON Schema. */
  readonly inputSchema: S
  readonly outputSchema?: Schema | undefined
  /** Returns the result, a promise of it, or as an async generator progress and then the result. A throw is an error result. */
  readonly execute: (input: InferOutput<S>, context: ToolContext) => Out
}

/** A tool that is a function too. */
export interface FunctionTool<Name extends string, S extends Schema, Out> extends Tool<InferOutput<S>, Out> {
  /** Straight to `execute`: no validation, no hooks, no permissions. */
  (input: InferOutput<S>, context?: Partial<ToolContext>): Out
  readonly name: Name
  readonly '~input'?: InferInput<S>
}

const traitNames = [
  'isReadOnly',
  'isDestructive',
  'isConcurrencySafe',
  'needsApproval',
  'maxResultChars',
  'timeoutMs',
  'settleMs',
  'strict',
] as const

/**
 * Makes a tool: what the model may call, and a function for you.
 *
 * The value can be called, `await weather({ city })`, which goes straight to `execute`. Called by an agent, the input is
 * validated against the schema first.
 *
 * @throws {ToolDefinitionError} for an illegal name, a missing description, or a schema that cannot be shown to a model.
 */
export function tool<const Name extends string, S extends Schema, Out>(
  definition: ToolDefinition<Name, S, Out>,
): FunctionTool<Name, S, Out> {
  checkDefinition(definition)
  const { name, description, execute } = definition
  const { jsonSchema, validate } = compileSchema(definition.inputSchema, `The tool "${name}": inputSchema`)
  const direct = (input: InferOutput<S>, context?: Partial<ToolContext>): Out => execute(input, outsideContext(name, input, context))
  // `name` of a function is not writable, only configurable.
  const properties: Record<string, unknown> = { name, description, inputSchema: jsonSchema, validate, run: execute }
  if (definition.outputSchema)
    properties['outputSchema'] = compileSchema(definition.outputSchema, `The tool "${name}": outputSchema`).jsonSchema
  for (const key of traitNames) if (definition[key] !== undefined) properties[key] = definition[key]
  for (const [key, value] of Object.entries(properties)) Object.defineProperty(direct, key, { value, enumerable: true })
  return direct as unknown as FunctionTool<Name, S, Out>
}

/** A context for calls from outside a run: its signal never fires. */
function outsideContext(name: string, input: unknown, given: Partial<ToolContext> = {}): ToolContext {
  const outside: ToolContext = {
    toolUse: { id: 'direct', name, input: input as JsonObject },
    idempotencyKey: 'direct',
    get agent(): AgentHandle {
      throw new ToolDefinitionError(`The tool "${name}" was called directly and has no agent. Pass one: ${name}(input, { agent }).`, {
        code: 'no_agent',
      })
    },
    invocationState: {},
    state: {},
    signal: new AbortController().signal,
    progress: async () => {},
    endTurn: () => {},
    interrupt: () => {
      throw new NotYetError('Interrupting a run')
    },
  }
  return Object.defineProperties(outside, Object.getOwnPropertyDescriptors(given))
}

function checkDefinition(definition: unknown): asserts definition is ToolDefinition<string, Schema, unknown> {
  const bad = (message: string): never => {
    throw new ToolDefinitionError(message)
  }
  if (typeof definition !== 'object' || definition === null)
    bad(`tool() needs a definition { name, description, inputSchema, execute }, got ${typeof definition}.`)
  const { name, description, execute, inputSchema } = definition as Partial<ToolDefinition<string, Schema, unknown>>
  checkToolName(name)
  const named = `The tool "${name}"`
  if (typeof description !== 'string' || description.trim() === '') bad(`${named} needs a description: the model chooses tools by it.`)
  if (typeof execute !== 'function') bad(`${named} needs execute(input, context), got ${typeof execute}.`)
  if ((typeof inputSchema !== 'object' && typeof inputSchema !== 'function') || inputSchema === null)
    bad(`${named} needs an inputSchema: a zod schema, another Standard Schema, or a JSON Schema object; got ${typeof inputSchema}.`)
  checkTraits(definition as ToolTraits<unknown>, named)
}

/** @throws {ToolDefinitionError} */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !toolNamePattern.test(name)) {
    throw new ToolDefinitionError(
      `A tool's name has 1 to 64 letters, digits, "_" or "-"; got ${typeof name === 'string' ? JSON.stringify(name) : typeof name}.`,
    )
  }
}

/** @throws {ToolDefinitionError} */
export function checkTraits(traits: ToolTraits<unknown>, named: string): void {
  const kinds: readonly [keyof ToolTraits<unknown>, readonly string[]][] = [
    ['isReadOnly', ['boolean', 'function']],
    ['isDestructive', ['boolean', 'function']],
    ['isConcurrencySafe', ['boolean', 'string', 'function']],
    ['needsApproval', ['boolean', 'function']],
    ['strict', ['boolean']],
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
