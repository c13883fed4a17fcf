/** What came, for an error text: short, and with what is to be done where a value shows a usual slip. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return isClass(value) ? `the class ${value.name || '(without a name)'}; make one with \`new\`` : 'a function'
  if (typeof value === 'object') return describeObject(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  return typeof value === 'bigint' ? `${value}n` : String(value)
}

function describeObject(value: object): string {
  if (typeof (value as { readonly then?: unknown }).then === 'function') return 'a promise; `await` it first'
  return value instanceof Date ? 'a Date' : 'an object'
}

const isClass = (value: Function): boolean => /^class\b/.test(Function.prototype.toString.call(value))
