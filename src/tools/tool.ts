import type { AgentHandle } from '../agent/handle.ts'
import { ToolDefinitionError } from '../errors.ts'
import type { InterruptRequest } from '../interrupts/interrupt.ts'
import type { ToolResultCode, ToolResultContent } from '../messages/content.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { Access } from './access.ts'
import { defineTool } from './define-tool.ts'
import type { CommonDefinition, Run } from './define-tool.ts'
import { method } from './method.ts'
import type { InferInput, InferOutput, Schema, StandardResult } from './standard-schema.ts'
import { workerRun } from './worker-tool.ts'
import type { WorkerOptions } from './worker-tool.ts'

export { checkToolName, checkTraits } from './define-tool.ts'

/**
 * What is promised of a call: the same for every input, or asked with the input: as the model wrote it when the call is put in its place
 * among the others, and once more as it will run. Who has to look elsewhere gives a promise. A throw, a rejection or an answer that is
 * none counts as the careful answer. Until all flags of a call are there it counts as one that must run alone; it is judged and run only
 * with them, and they have the time of the tool's `timeoutMs` for themselves.
 */
export type Flag<In> = boolean | ((input: In) => boolean | Promise<boolean>)
/** A string is a key: calls with different keys run together, those of one key one after another. Asked like every flag. */
export type ConcurrencyFlag<In> = boolean | string | ((input: In) => boolean | string | Promise<boolean | string>)

/** What is promised of a tool. Not stated means: not read-only, not destructive, not safe beside others, and nobody need approve. */
export type ToolTraits<In> = {
  /** It only observes. The careful answer is false. */
  readonly isReadOnly?: Flag<In> | undefined
  /** What it does cannot be undone. The careful answer is true. */
  readonly isDestructive?: Flag<In> | undefined
  /** It may run beside other calls. The careful answer is false. */
  readonly isConcurrencySafe?: ConcurrencyFlag<In> | undefined
  /** A person must be asked before it runs. The careful answer is true. */
  readonly needsApproval?: Flag<In> | undefined
  /**
   * What a call touches, for permission rules with a pattern. A call whose `access` throws, rejects or gives what is none may touch
   * anything. Only the verdict of the permissions waits for it, and with it the call.
   */
  readonly access?: ((input: In) => Access | Promise<Access>) | undefined
  /** Characters of a result that go to the model. */
  readonly maxResultChars?: number | undefined
  /** Milliseconds of the run; a check of the input that is asynchronous, and flags that are, have as much for themselves. None unless given. */
  readonly timeoutMs?: number | undefined
  /** How long a call may take to end once it was cancelled or timed out, in milliseconds: 0 for read-only tools, 2,000 for others. */
  readonly settleMs?: number | undefined
  /** Keys of the input that the schema names nowhere are an error. Without it they are ignored. */
  readonly strict?: boolean | undefined
  /** An error that it throws is shown to the model with its stack. For tools that are being developed; without it name and message alone. */
  readonly errorStack?: boolean | undefined
  /** It may be added again: it then takes the place of the tool of exactly its name, instead of being refused. */
  readonly supportsHotReload?: boolean | undefined
}

/** The port: whatever has this shape is a tool. */
export interface Tool<In = any, Out = any> extends ToolTraits<In> {
  readonly name: string
  readonly description: string
  /** As the model is told of it. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  /** Its effects pass the run's `steps` by themselves: it is an agent. */
  readonly passesSteps?: boolean | undefined
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
  /** Files, by their absolute paths, that a rule keeps from being shown: a tool that looks through a folder leaves them out. */
  readonly isWithheld?: ((path: string) => boolean) | undefined
  /** Asks a person. */
  interrupt<T = JsonValue>(request: InterruptRequest): T
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

/** A tool whose work is done in a worker thread. The result has the type of `outputSchema`. */
export interface WorkerToolDefinition<Name extends string, S extends Schema, O extends Schema | undefined = undefined> extends ToolTraits<
  InferOutput<S>
> {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: Name
  /** What it does and when to use it, for the model. */
  readonly description: string
  /** zod 4, another Standard Schema library, or a plain JSON Schema. */
  readonly inputSchema: S
  readonly outputSchema?: O
  /** The module that does the work, `new URL('./hash.ts', import.meta.url)`: its default export is `(input, context) => result`. */
  readonly worker: URL | WorkerOptions
}

export type WorkerOutput<O extends Schema | undefined> = O extends Schema ? InferOutput<O> : unknown

/** A tool that is a function too. */
export interface FunctionTool<Name extends string, S extends Schema, Out> extends Tool<InferOutput<S>, Out> {
  /** Straight to `execute`: no validation, no hooks, no permissions. */
  (input: InferOutput<S>, context?: Partial<ToolContext>): Out
  readonly name: Name
  readonly '~input'?: InferInput<S>
}

/**
 * Makes a tool: what the model may call, and a function for you.
 *
 * The value can be called, `await weather({ city })`, which goes straight to `execute`. Called by an agent, the input is
 * validated against the schema first.
 *
 * With `worker` in the place of `execute` the work is done in a worker thread: other tools go on beside it, and a cancel or a
 * time-out ends it.
 *
 * @throws {ToolDefinitionError} for an illegal name, a missing description, or a schema that cannot be shown to a model.
 */
export function tool<const Name extends string, S extends Schema, O extends Schema | undefined = undefined>(
  definition: WorkerToolDefinition<Name, S, O>,
): FunctionTool<Name, S, Promise<WorkerOutput<O>>>
export function tool<const Name extends string, S extends Schema, Out>(definition: ToolDefinition<Name, S, Out>): FunctionTool<Name, S, Out>
export function tool(definition: AnyDefinition): unknown {
  if (typeof definition !== 'object' || definition === null)
    throw new ToolDefinitionError(`tool() needs a definition { name, description, inputSchema, execute }, got ${typeof definition}.`)
  const { execute, worker } = definition
  const withRun = defineTool(definition)
  const named = `The tool "${definition.name}"`
  if (execute !== undefined && worker !== undefined)
    throw new ToolDefinitionError(`${named} has both execute and worker. Keep the one that shall run.`)
  if (worker !== undefined) return withRun(workerRun(definition.name, worker))
  if (typeof execute !== 'function') throw new ToolDefinitionError(`${named} needs execute(input, context), got ${typeof execute}.`)
  return withRun(execute)
}

tool.method = method

type AnyDefinition = CommonDefinition & { readonly execute?: Run | undefined; readonly worker?: unknown }
