import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'

/** @throws {InputError} for what no suite can be run with: it would pass without a test. */
export function checkSuite(name: string, runner: unknown, make: unknown): void {
  if (typeof (runner as { readonly test?: unknown } | null | undefined)?.test !== 'function')
    throw new InputError(`${name}() needs a runner { test }, as node:test, vitest and Jest have one, got ${describe(runner)}.`)
  if (typeof make !== 'function')
    throw new InputError(`${name}() needs a function that makes what is tested, anew for each test, got ${describe(make)}.`)
}
