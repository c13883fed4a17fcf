import { InputError } from '../errors.ts'
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

export type LoadOptions = {
  readonly watch: boolean
  readonly cwd: string
  readonly timeoutMs: number
  readonly settleMs: number
  readonly clock: Clock
}

/** @throws {InputError} */
export function loadOptions(given: ToolsFromOptions): LoadOptions {
  const { watch = false, cwd = process.cwd(), timeoutMs = 30_000, settleMs = 100, clock = systemClock } = given
  if (typeof watch !== 'boolean') throw new InputError(`toolsFrom(): \`watch\` must be true or false, got ${typeof watch}.`)
  for (const [name, value] of Object.entries({ timeoutMs, settleMs }))
    if (typeof value !== 'number' || !(value > 0))
      throw new InputError(`toolsFrom(): \`${name}\` must be a number of milliseconds above 0, got ${String(value)}.`)
  return { watch, cwd, timeoutMs, settleMs, clock }
}
