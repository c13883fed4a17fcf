import type { JsonObject, JsonValue } from './util/json.ts'
import type { AssistantMessage, Message } from './messages/message.ts'
import type { ToolResultBlock } from './messages/content.ts'
import type { Usage } from './messages/usage.ts'
import { saidBy } from './util/said-by.ts'

/** What a failed run still has: all of it is paid for, none of it is lost. */
export type PartialRun = {
  /** What the model had said in the message that was cut. */
  readonly text: string
  /** The finished results of the turn that failed. */
  readonly results: readonly ToolResultBlock[]
  readonly usage: Usage
  /** The history to go on from. */
  readonly messages: readonly Message[]
}

export type ErrorOptions = { readonly code?: string | undefined; readonly cause?: unknown }

const brand = Symbol.for('lena-agent.error')

/** The base of every error that Lena throws. `code` is stable, the message is for people. */
export class AgentError extends Error {
  readonly code: string
  /** What the run had when it failed; absent on errors at the door. */
  declare readonly partial: PartialRun | undefined

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = new.target.name
    this.code = options.code ?? 'agent_error'
    Object.defineProperty(this, brand, { value: true })
    // Present from the start, so that every error has one shape; not enumerable, so that printing an error stays readable.
    Object.defineProperty(this, 'partial', { value: undefined, writable: true, configurable: true })
  }

  /** True for errors of any copy of this package, where `instanceof` knows only its own. */
  static isInstance(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && brand in value
  }

  toJSON(): JsonObject {
    const data: Record<string, JsonValue | undefined> = { name: this.name, code: this.code, message: this.message }
    for (const [key, value] of Object.entries(this)) if (key !== 'name' && isPlain(value)) data[key] = value
    if (this.cause !== undefined)
      data['cause'] = this.cause instanceof Error ? `${this.cause.name}: ${this.cause.message}` : String(this.cause)
    if (this.partial) data['partial'] = this.partial as unknown as JsonValue
    return data
  }
}

const isPlain = (value: unknown): value is JsonValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  Array.isArray(value) ||
  (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)

/** Gives the error what the run had. The newest run counts: one error object may be thrown in several. */
export function withPartial<E extends AgentError>(error: E, partial: PartialRun): E {
  return Object.defineProperty(error, 'partial', { value: partial, writable: true, configurable: true })
}

const coded = (code: string, options: ErrorOptions | undefined): ErrorOptions => ({ code, ...options })

/** The input or an option is not what it must be. Thrown before anything is touched. */
export class InputError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('invalid_input', options))
  }
}

/** Known and planned, but not there yet. */
export class NotYetError extends AgentError {
  constructor(what: string) {
    super(`${what} is not there yet in this version of lena-agent. Leave it out, or use a newer version.`, { code: 'not_yet' })
  }
}

/** The agent is busy: one invocation at a time, because two would mix their messages. */
export class ConcurrentInvocationError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('concurrent_invocation', options))
  }
}

/** A stream of events was read in a way that it cannot serve. */
export class StreamError extends AgentError {}

/** A tool is not well defined: its name, description, schema or flags. */
export class ToolDefinitionError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('tool_definition', options))
  }
}

/** No tool of that name. */
export class ToolNotFoundError extends AgentError {
  readonly available: readonly string[]
  constructor(message: string, options: ErrorOptions & { readonly available: readonly string[] }) {
    super(message, coded('tool_not_found', options))
    this.available = options.available
  }
}

/** The model's output limit cut its message. What came whole is in the history; the calls are replaced by a note. */
export class MaxTokensError extends AgentError {
  declare readonly partialMessage: AssistantMessage
  constructor(message: string, options: ErrorOptions & { readonly partialMessage: AssistantMessage }) {
    super(message, coded('max_tokens', options))
    Object.defineProperty(this, 'partialMessage', { value: options.partialMessage, enumerable: true })
  }
}

/** The answers do not fit what is open: unknown, stale, or nothing is. */
export class InterruptError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('invalid_response', options))
  }
}

/** What was given to resume from is no checkpoint, is damaged, or is of a newer version. */
export class CheckpointError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('invalid_checkpoint', options))
  }
}

/** The run that this call waited for, by its idempotency token, has failed. `cause` is why. */
export class IdempotencyError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('idempotency', options))
  }
}

/** The run has no answer of the shape that was asked for. */
export class OutputError extends AgentError {
  /** What the model gave last. */
  readonly lastAnswer: JsonValue
  /** What is wrong with it. */
  readonly issues: readonly string[]
  constructor(message: string, options: ErrorOptions & { readonly lastAnswer?: JsonValue; readonly issues?: readonly string[] } = {}) {
    super(message, coded('no_output', options))
    this.lastAnswer = options.lastAnswer ?? null
    this.issues = options.issues ?? []
  }
}

/** The model made the same call again and again, and it failed each time. */
export class RepeatedFailureError extends AgentError {
  readonly toolName: string
  constructor(message: string, options: ErrorOptions & { readonly toolName: string }) {
    super(message, coded('repeated_failure', options))
    this.toolName = options.toolName
  }
}

/** A hook (or `onEvent`) threw. `cause` is what it threw. */
export class HookError extends AgentError {
  readonly hook: string
  constructor(message: string, options: ErrorOptions & { readonly hook: string }) {
    super(message, coded('hook_failed', options))
    this.hook = options.hook
  }
}

/** A schedule strategy can start nothing although calls are waiting. */
export class ScheduleError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('schedule_stalled', options))
  }
}

export type ModelErrorOptions = ErrorOptions & {
  readonly provider?: string | undefined
  readonly status?: number | undefined
  readonly retryable?: boolean | undefined
}

/** The model could not answer. `retryable` says whether the same request may work later. */
export class ModelError extends AgentError {
  readonly provider: string
  readonly status: number | undefined
  readonly retryable: boolean
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, coded('model_error', options))
    this.provider = options.provider ?? 'unknown'
    this.status = options.status
    this.retryable = options.retryable ?? false
  }
}

/** Too many requests. `retryAfterMs` is the wait that the provider asks for. */
export class ThrottledError extends ModelError {
  readonly retryAfterMs: number | undefined
  constructor(message: string, options: ModelErrorOptions & { readonly retryAfterMs?: number | undefined } = {}) {
    super(message, { code: 'throttled', retryable: true, ...options })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The provider has no room just now (500, 502, 503, 504, 529). `retryAfterMs` is the wait that it asks for, if any. */
export class OverloadedError extends ModelError {
  readonly retryAfterMs: number | undefined
  constructor(message: string, options: ModelErrorOptions & { readonly retryAfterMs?: number | undefined } = {}) {
    super(message, { code: 'overloaded', retryable: true, ...options })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The request does not fit the model's context window. */
export class ContextOverflowError extends ModelError {
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'context_overflow', ...options })
  }
}

/** No key, or a key that the provider refuses. `variable` is the environment variable to set. */
export class AuthenticationError extends ModelError {
  readonly variable: string | undefined
  constructor(message: string, options: ModelErrorOptions & { readonly variable?: string | undefined } = {}) {
    super(message, { code: 'authentication', ...options })
    this.variable = options.variable
  }
}

/** The provider refuses the request as it is. */
export class InvalidRequestError extends ModelError {
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'invalid_request', ...options })
  }
}

/** The provider's filter refused the request. */
export class ContentFilterError extends ModelError {
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'content_filter', ...options })
  }
}

/** The provider could not be reached, or the connection broke. */
export class NetworkError extends ModelError {
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'network', retryable: true, ...options })
  }
}

/** The stream ended, or broke, before the message was complete. */
export class IncompleteStreamError extends ModelError {
  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'incomplete_stream', retryable: true, ...options })
  }
}

/** The thread of a tool with `worker` failed: it ended early, ran out of memory, or could not be started. */
export class WorkerError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('worker_failed', options))
  }
}

/** There is no such model or provider. */
export class ModelNotFoundError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('model_not_found', options))
  }
}

/** A session could not be read or written, or there is no such record. The store's own error is the `cause`. */
export class SessionError extends AgentError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, coded('session_failed', options))
  }
}

/** Anything thrown, as an AgentError; one of ours stays itself. */
export function toAgentError(thrown: unknown, code: string, what: string): AgentError {
  if (AgentError.isInstance(thrown)) return thrown
  return new AgentError(`${what}: ${saidBy(thrown)}`, { code, cause: thrown })
}
