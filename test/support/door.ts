import { expect, it } from 'vitest'
import { AgentError } from '../../src/errors.ts'

/** A public function of options: what it is called with, and for each option what it cannot be. */
export type Door = {
  readonly name: string
  readonly open: (options: any) => unknown
  /** What it needs besides. */
  readonly base?: object
  readonly wrong: { readonly [option: string]: readonly unknown[] }
  /** Says what came is a promise, a class, nothing: not for functions that take other things than options. */
  readonly isLax?: boolean
}

export class Made {
  readonly made = true
}

export const noText = [7, null, Promise.resolve('x'), ['x'], Made]
export const noBoolean = ['yes', 1, null, () => true]
export const noFunction = ['x', {}, null, Promise.resolve(() => {})]
export const noTime = [-1, Number.NaN, '100', null, [5]]
export const noCount = [0, -1, 1.5, Number.NaN, '3', null, Symbol('3')]
export const noBound = [0, -1, Number.NaN, '3', null, 10n, Symbol('3')]
export const noPort = [7, 'x', {}, Made, Promise.resolve({}), null]
export const noSignal = [7, 'x', {}, new AbortController(), Promise.resolve(), null]
export const noOptions = [null, 7, 'x', [], Promise.resolve({}), new Date(0), Made]

/** What a call throws, or its promise; a value that says so where it throws nothing. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const value: unknown = await call()
    return `nothing was thrown, it gave ${String(value)}`
  } catch (error) {
    return error
  }
}

const shown = (value: unknown): string =>
  typeof value === 'symbol' ? String(value) : typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value)

/** At the door: junk is refused with an error of ours that names the option, before anything has begun. */
export function doorTests({ name, open, base = {}, wrong, isLax = false }: Door): void {
  const options = Object.keys(wrong)
  if (!isLax)
    it(`${name} says what it takes`, async () => {
      for (const value of noOptions) {
        const thrown = await thrownBy(() => open(value))
        expect(AgentError.isInstance(thrown), `${shown(value)}: ${String(thrown)}`).toBe(true)
      }
    })

  it(`${name} knows a slip in a name`, async () => {
    const thrown = await thrownBy(() => open({ ...base, [`${options[0]}x`]: 1 }))
    expect(String(thrown)).toContain(`Did you mean "${options[0]}"?`)
    expect(AgentError.isInstance(thrown)).toBe(true)
  })

  it.each(options)(`${name} says what %s must be`, async (option) => {
    for (const value of wrong[option]!) {
      const thrown = await thrownBy(() => open({ ...base, [option]: value }))
      expect(AgentError.isInstance(thrown), `${shown(value)}: ${String(thrown)}`).toBe(true)
      expect(`${shown(value)}: ${String(thrown)}`).toContain(option)
    }
  })
}
