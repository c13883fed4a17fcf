import type { JsonValue } from '../util/json.ts'

/** Deeper than this a value is no result for a model. */
const maxDepth = 64

/**
 * A value as JSON that a model can read, whatever it is: dates as ISO text, maps and sets as objects and lists, errors as
 * `Name: message`, bytes and functions named, a cycle marked.
 *
 * @throws {TypeError} for a promise, an iterator or a stream: the tool forgot to read it, so there is nothing to show.
 */
export function readable(value: unknown): JsonValue {
  return render(value, new Set(), 0)
}

function render(value: unknown, parents: Set<object>, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no -0: added to nothing it is 0.
      return Number.isFinite(value) ? value + 0 : String(value)
    case 'bigint':
      return String(value)
    case 'undefined':
      return null
    case 'symbol':
      return String(value)
    case 'function':
      return `[function ${value.name || 'anonymous'}]`
  }
  if (value === null || typeof value !== 'object') return null
  if (parents.has(value)) return '[circular]'
  if (depth >= maxDepth) return '[nested too deep]'
  const named = renderNamed(value)
  if (named !== undefined) return named
  parents.add(value)
  const below = (inner: unknown): JsonValue => render(inner, parents, depth + 1)
  const rendered = renderContainer(value, below)
  parents.delete(value)
  return rendered
}

/** What holds its content back until it is read. By tag, not by class: to name a class like `Response` loads all of it. */
const unread = new Set(['ReadableStream', 'Response', 'Request', 'Blob', 'File'])

/** Objects that are one value. */
function renderNamed(value: object): JsonValue | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (value instanceof URL || value instanceof URLSearchParams || value instanceof RegExp) return String(value)
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return readable(value.valueOf())
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.constructor.name} of ${value.byteLength} bytes]`
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) return `[${value.constructor.name}]`
  if (typeof (value as { then?: unknown }).then === 'function') throw new TypeError('it holds a promise; await it in the tool.')
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (unread.has(tag)) throw new TypeError(`it is a ${tag}; read it in the tool and return its text.`)
  const { next } = value as { next?: unknown }
  if (Symbol.asyncIterator in value || (typeof next === 'function' && Symbol.iterator in value))
    throw new TypeError('it is an iterator; collect it in the tool, or write `async *execute` to report progress.')
  return undefined
}

function renderContainer(value: object, below: (inner: unknown) => JsonValue): JsonValue {
  if (Array.isArray(value)) return Array.from(value, below)
  if (value instanceof Set) return [...value].map(below)
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]) => [typeof key === 'string' ? key : below(key), below(inner)] as const)
    return entries.every(([key]) => typeof key === 'string')
      ? Object.fromEntries(entries as [string, JsonValue][])
      : entries.map(([key, inner]) => [key, inner])
  }
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return below(toJSON.call(value))
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (entries.length === 0 && prototype !== null && prototype !== Object.prototype) return `[${value.constructor.name || 'object'}]`
  return Object.fromEntries(entries.map(([key, inner]) => [key, below(inner)]))
}
