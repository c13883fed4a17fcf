import { resolve } from 'node:path'
import type { Clock } from '../util/clock.ts'
import type { FileLog } from './files/file-log.ts'

export type ToolkitOptions = {
  /** The folder that relative paths start from, and that the work should stay in. Default: `process.cwd()`. */
  readonly workspace?: string | undefined
  /** What of which file the model has seen. Tools that are made one by one share what they know by sharing this. */
  readonly files?: FileLog | undefined
  /** The environment of shell commands, before keys are taken out. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Variables that shell commands get although their names look like keys, for example `GITHUB_TOKEN`. */
  readonly keepEnv?: readonly string[] | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/** The workspace as an absolute path; links in it are not resolved yet. */
export const workspaceOf = (options: ToolkitOptions): string => resolve(options.workspace ?? process.cwd())
