import * as errors from '../../errors.ts'
import { AgentError } from '../../errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { RecordedError } from './entries.ts'

/** A chain of causes is kept so far. */
const maxCauses = 3

/** Whatever was thrown, as plain data. Nothing of a cause but its name and message: an SDK keeps requests and headers there. */
export function recordError(thrown: unknown, withStack = false, depth = 0): RecordedError {
  if (!(thrown instanceof Error)) return { name: 'thrown', message: textOf(thrown) }
  const own = AgentError.isInstance(thrown)
  const { name, message, cause } = thrown
  const fields = depth > 0 ? {} : fieldsOf(thrown, own)
  return {
    name,
    message,
    ...(own && { own }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(withStack && thrown.stack !== undefined && { stack: thrown.stack }),
    ...(cause !== undefined && depth < maxCauses && { cause: recordError(cause, false, depth + 1) }),
  }
}

/** The error again, of its class where that is one of ours. */
export function reviveError({ name, message, own, fields = {}, stack, cause }: RecordedError): unknown {
  if (name === 'thrown' && !own) return message
  const options = { ...fields, ...(cause && { cause: reviveError(cause) }) }
  const error: Error = own ? new (classOf(name))(message, options) : new Error(message, options)
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    message: { value: message, configurable: true, writable: true },
  })
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  for (const [key, value] of Object.entries(fields))
    if ((error as unknown as JsonObject)[key] !== value) Object.assign(error, { [key]: value })
  return error
}

/** Of our own errors all plain fields; of others those by which programs tell them apart. */
function fieldsOf(error: Error, own: boolean): JsonObject {
  const all = own ? (error as AgentError).toJSON() : (error as unknown as JsonObject)
  const names = own ? Object.keys(all).filter((key) => !['name', 'message', 'cause', 'partial'].includes(key)) : ['code', 'status']
  const fields = names.map((key) => [key, all[key]] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && (own || ['string', 'number'].includes(typeof value))))
}

type ErrorClass = new (message: string, options: object) => Error

function classOf(name: string): ErrorClass {
  const known = (errors as Readonly<Record<string, unknown>>)[name]
  return (typeof known === 'function' && known.prototype instanceof AgentError ? known : AgentError) as ErrorClass
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'what was thrown cannot be shown'
  }
}
