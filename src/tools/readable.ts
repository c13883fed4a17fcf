import type { JsonValue } from '../util/json.ts'

/** Deeper than this a value is no result for a model. */
const maxDepth = 64
/** Nor is one that holds more than this. An object that is in many places counts in each: thirty of them can make a billion. */
const maxValues = 2_000_000

/**
 * A value as JSON that a model can read, whatever it is: dates as ISO text, maps and sets as objects and lists, errors as
 * `Name: message`, bytes and functions named, a cycle marked.
 *
 * @throws {TypeError} for a promise, an iterator or a stream: the tool forgot to read it, so there is nothing to show. And for more
 * than two million values.
 */
export function readable(value: unknown): JsonValue {
  return render(value, { parents: new Set(), values: 0 })
}

type Progress = { readonly parents: Set<object>; values: number }

function render(value: unknown, progress: Progress): JsonValue {
  const { parents } = progress
  if (++progress.values > maxValues) throw new TypeError(`it holds more than ${maxValues} values; return a part of it.`)
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
      return `[${/^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function'} ${value.name || 'anonymous'}]`
  }
  if (value === null || typeof value !== 'object') return null
  if (parents.has(value)) return '[circular]'
  if (parents.size >= maxDepth) return '[nested too deep]'
  const isData = isPlainData(value)
  const named = isData ? undefined : renderNamed(value)
  if (named !== undefined) return named
  parents.add(value)
  const data = isData ? renderData(value, progress) : undefined
  const rendered = data ?? renderContainer(value, (inner) => render(inner, progress))
  parents.delete(value)
  return rendered
}

/** What most values are: looked at once, because to ask what else each could be takes ten times as long, and nothing else runs meanwhile. */
function isPlainData(value: object): boolean {
  const { then, toJSON } = value as { then?: unknown; toJSON?: unknown }
  if (typeof then === 'function' || typeof toJSON === 'function') return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0
}

/** `undefined` for what shows nothing: it may be a date that lost its prototype. */
function renderData(value: object, progress: Progress): JsonValue | undefined {
  if (Array.isArray(value)) return Array.from(value, (inner: unknown) => render(inner, progress))
  const entries = Object.entries(value)
  if (entries.length === 0) return undefined
  const data: Record<string, JsonValue> = {}
  for (const [key, inner] of entries) {
    if (inner === undefined) continue
    if (key === '__proto__') Object.defineProperty(data, key, { value: render(inner, progress), enumerable: true })
    else data[key] = render(inner, progress)
  }
  return data
}

/** What holds its content back until it is read. By tag, not by class: to name a class like `Response` loads all of it. */
const unread = new Set(['ReadableStream', 'Response', 'Request', 'Blob', 'File'])

/** Objects that are one value. */
function renderNamed(value: object): JsonValue | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return renderError(value, 0)
  if (value instanceof URL || value instanceof URLSearchParams || value instanceof RegExp) return String(value)
  if (isBoxed(value)) return readable(value.valueOf())
  const tag = tagOf(value)
  if (ArrayBuffer.isView(value) || tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer')
    return `[${nameOf(value)} of ${(value as ArrayBuffer).byteLength} bytes]`
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) return `[${nameOf(value)}]`
  if (typeof (value as { then?: unknown }).then === 'function') throw new TypeError('it holds a promise; await it in the tool.')
  if (unread.has(tag)) throw new TypeError(`it is a ${tag}; read it in the tool and return its text.`)
  const { next } = value as { next?: unknown }
  if (Symbol.asyncIterator in value || (typeof next === 'function' && Symbol.iterator in value)) throw uncollected()
  return undefined
}

const uncollected = (): TypeError =>
  new TypeError('it is an iterator; collect it in the tool, or write `async *execute` to report progress.')

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

/** The name of its class; what is made without one still has a tag. */
function nameOf(value: object): string {
  const { constructor } = value as { constructor?: unknown }
  return (typeof constructor === 'function' && constructor.name) || tagOf(value)
}

const isBoxed = (value: object): boolean => [Number, String, Boolean, BigInt, Symbol].some((box) => value instanceof box)

/** `Name: message`, and what it came from. */
function renderError(error: Error, depth: number): string {
  const said = [error.name || 'Error', error.message].filter((part) => part !== '').join(': ')
  if (depth >= 5) return said
  const { cause, errors } = error as { cause?: unknown; errors?: unknown }
  const inner = Array.isArray(errors) ? errors.filter((one) => one instanceof Error) : []
  const notes = inner.map((one) => renderError(one, depth + 1))
  if (cause instanceof Error) notes.push(`cause: ${renderError(cause, depth + 1)}`)
  return notes.length === 0 ? said : `${said} (${notes.join('; ')})`
}

/** Made of pairs, and nothing of it shows as a property. */
const pairwise = new Set(['Headers', 'FormData'])

function renderContainer(value: object, below: (inner: unknown) => JsonValue): JsonValue {
  if (Array.isArray(value)) return Array.from(value, below)
  if (value instanceof Set) return Array.from(value, below)
  if (value instanceof Map || pairwise.has(tagOf(value))) return renderPairs(value as Iterable<[unknown, unknown]>, below)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return below(toJSON.call(value))
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || prototype === Object.prototype
  // On an instance a symbol is what its class keeps to itself.
  const entries = (isPlain ? Reflect.ownKeys(value) : Object.keys(value))
    .filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
    .map((key) => [String(key), (value as Record<PropertyKey, unknown>)[key]] as const)
    .filter(([key, inner]) => inner !== undefined && key !== 'Symbol(Symbol.iterator)')
  if (entries.length === 0) {
    if (Symbol.iterator in value && tagOf(value) !== 'Arguments') throw uncollected()
    if (!isPlain) return `[${nameOf(value)}]`
    if (tagOf(value) !== 'Object') return `[${tagOf(value)}]`
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, below(inner)]))
}

/** An object, unless keys are of another kind or come twice. */
function renderPairs(pairs: Iterable<[unknown, unknown]>, below: (inner: unknown) => JsonValue): JsonValue {
  const entries = Array.from(pairs, ([key, inner]) => [typeof key === 'string' ? key : below(key), below(inner)] as const)
  const keys = [...pairs].map(([key]) => key)
  return keys.every((key) => typeof key === 'string') && new Set(keys).size === keys.length
    ? Object.fromEntries(entries as unknown as [string, JsonValue][])
    : entries.map(([key, inner]) => [key, inner])
}
