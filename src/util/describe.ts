/** A value in a few words, for an error message: a promise that was not awaited and a class without `new` are told from others. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return isClass(value) ? `the class ${value.name || 'without a name'}` : 'a function'
  if (typeof value === 'object') return describeObject(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  return typeof value === 'bigint' ? `${value}n` : String(value)
}

function describeObject(value: object): string {
  if (typeof (value as { readonly then?: unknown }).then === 'function') return 'a promise'
  return value instanceof Date ? 'a Date' : 'an object'
}

const isClass = (value: Function): boolean => /^class\b/.test(Function.prototype.toString.call(value))
