import { headOf } from './text.ts'

/** Any value that JSON can carry. `undefined` properties are allowed, as `JSON.stringify` drops them. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }
/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A deep copy of plain data, frozen all the way down. What is already frozen data of ours is shared, not copied:
 * stored messages are kept once however often they are passed on.
 *
 * @throws {TypeError} at a value that JSON cannot carry (function, symbol, bigint, cycle, class instance), naming its path.
 */
export function frozenCopy<T>(value: T, path = 'value'): T {
  return copy(value, path, new Set()) as T
}

/** Deeper than this `JSON.stringify` may overflow the stack, and what is stored must always be sendable. */
const maxNesting = 1000

/**
 * Data this module froze itself. `Object.isFrozen` alone would trust a shallow freeze made by somebody else. `true` where somebody
 * has vouched for more: one table for both, as it has an entry for each message of each history.
 */
const ours = new WeakMap<object, boolean>()

function copy(value: unknown, path: string, parents: Set<object>): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}, which JSON cannot carry.`)
    return value
  }
  if (typeof value !== 'object') throw new TypeError(`${path} is a ${typeof value}, which JSON cannot carry.`)
  if (ours.has(value)) return value
  if (parents.has(value)) throw new TypeError(`${path} refers back to an object that contains it.`)
  if (parents.size >= maxNesting) throw new TypeError(`${headOf(path, 100)}… is nested deeper than ${maxNesting} levels.`)
  parents.add(value)
  let result: object
  if (Array.isArray(value)) {
    // Not `map`: it would leave the holes of a sparse array.
    result = Array.from(value, (item, index) => copy(item, `${path}[${index}]`, parents) ?? null)
  } else {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      const name = (value as { constructor?: { name?: string } }).constructor?.name ?? 'class instance'
      throw new TypeError(`${path} is a ${name}, expected plain data.`)
    }
    const object: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      const item = copy((value as Record<string, unknown>)[key], `${path}.${key}`, parents)
      // A plain assignment to this one key would set the prototype instead.
      if (key === '__proto__') Object.defineProperty(object, key, { value: item, enumerable: true })
      else object[key] = item
    }
    result = object
  }
  parents.delete(value)
  ours.set(result, false)
  return Object.freeze(result)
}

/**
 * Freezes data that this package built itself and shares with nobody, without copying it.
 *
 * @param remembered what of it `frozenCopy` will know again: the whole, or nothing, as it will be part of another whole. That takes
 *   memory as long as it lives, so its parts are not.
 * @throws {TypeError} when it is nested too deep to be sent.
 */
export function freezeOwn<T>(value: T, remembered: 'nothing' | 'whole' = 'whole'): T {
  freeze(value, 0)
  if (remembered === 'whole' && typeof value === 'object' && value !== null) ours.set(value, ours.get(value) ?? false)
  return value
}

function freeze(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || ours.has(value)) return
  if (depth >= maxNesting) throw new TypeError(`the value is nested deeper than ${maxNesting} levels.`)
  if (Array.isArray(value)) for (const item of value) freeze(item, depth + 1)
  else for (const key in value) freeze((value as Record<string, unknown>)[key], depth + 1)
  Object.freeze(value)
}

/** Is this a whole that `frozenCopy` or `freezeOwn` made, or a part that is remembered? */
export const isOwnFrozen = (value: object): boolean => ours.has(value)

/** Says of frozen data that it is more than that: a message that was checked. Never of what may still change. */
export const vouchFor = (value: object): void => void ours.set(value, true)

/** Did `vouchFor` name it? */
export const isVouchedFor = (value: object): boolean => ours.get(value) === true

/** The same data with well-formed strings: half a surrogate pair, which no wire takes, becomes U+FFFD. What is right is shared. */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T
}

// In every runtime we support, but newer than the declarations.
const toWellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed()

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(repaired)
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [toWellFormed(key), repaired(item)] as const)
  return changed.every(([key, item], i) => key === entries[i]![0] && item === entries[i]![1]) ? value : Object.fromEntries(changed)
}

/** The parts of a JSON pointer: `#/a/b~1c` is `a`, `b/c`. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
