import type { Context } from '@opentelemetry/api'
import { isObject } from '../util/json.ts'
import { contentNames } from './conventions.ts'

/** What is needed of a logger of `@opentelemetry/api-logs`. Events are records of a log that have a name. */
export interface Logger {
  emit(record: LogRecord): void
  /** Older ones do not say. */
  enabled?(): boolean
}

export interface LoggerProvider {
  getLogger(name: string): Logger
}

export type LogRecord = {
  readonly eventName?: string
  readonly timestamp?: number
  readonly severityNumber?: number
  readonly attributes?: Record<string, LogValue>
  /** The span that it belongs to is in there. */
  readonly context?: Context
}

/** What an attribute of a record may be, other than one of a span: of any shape. */
type LogValue = string | number | boolean | null | undefined | LogValue[] | { [name: string]: LogValue }

/** The severities that the conventions want: of details, and of what failed. */
export const debug = 5
export const warn = 13

/** Where every copy of `@opentelemetry/api-logs` finds what one of them has registered, and the version of that agreement. */
const slot = Symbol.for('io.opentelemetry.js.api.logs')
const agreement = 1

/** The one that the program has registered. The package need not be there: where it is not, nobody has. */
export function registeredLoggerProvider(): LoggerProvider | undefined {
  const get = (globalThis as { readonly [slot]?: (version: number) => LoggerProvider | undefined })[slot]
  return typeof get === 'function' ? get(agreement) : undefined
}

/** `undefined` where what it is told is kept by nobody. */
export function loggerOf(provider: LoggerProvider | undefined, name: string): Logger | undefined {
  const logger = provider?.getLogger(name)
  return logger && (logger.enabled?.() ?? true) ? logger : undefined
}

/** Contents as what they are, as the conventions want them in events. One that was cut is no JSON any more, and stays a text. */
export function asStructure(attributes: Readonly<Record<string, unknown>>): Record<string, LogValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, contentNames.has(name) ? structureOf(value) : (value as LogValue)]),
  )
}

function structureOf(value: unknown): LogValue {
  try {
    const parsed: unknown = JSON.parse(String(value))
    return (isObject(parsed) || Array.isArray(parsed) ? parsed : value) as LogValue
  } catch {
    return value as LogValue
  }
}
