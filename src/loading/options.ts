import { aBoolean, aBound, aClock, aFilledText, checkOptions } from '../util/check-options.ts'
import type { Rule, RulesOf } from '../util/check-options.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'

export type ToolsFromOptions = {
  /** Loads what changed again while agents run. For folders and files; needs `chokidar`, and `jiti` for more than single files. Default: false. */
  readonly watch?: boolean | undefined
  /** The folder that relative paths start from and packages are looked up in. Default: `process.cwd()`. */
  readonly cwd?: string | undefined
  /** How long the import of one file may take, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** How long files must rest before they are loaded again, in milliseconds, so that a half written one is not. Default: 100. */
  readonly settleMs?: number | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

const above0: Rule = ['a number of milliseconds above 0', aBound[1]]
const rules: RulesOf<ToolsFromOptions> = {
  watch: aBoolean,
  cwd: ['the path of a folder', aFilledText[1]],
  timeoutMs: above0,
  settleMs: above0,
  clock: aClock,
}

export type LoadOptions = {
  readonly watch: boolean
  readonly cwd: string
  readonly timeoutMs: number
  readonly settleMs: number
  readonly clock: Clock
}

/** @throws {InputError} */
export function loadOptions(given: ToolsFromOptions): LoadOptions {
  checkOptions('toolsFrom', given, rules)
  const { watch = false, cwd = process.cwd(), timeoutMs = 30_000, settleMs = 100, clock = systemClock } = given
  return { watch, cwd, timeoutMs, settleMs, clock }
}
