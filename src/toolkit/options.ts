import { resolve } from 'node:path'
import type { Clock } from '../util/clock.ts'
import type { FileLog } from './files/file-log.ts'
import type { UndoLog } from './undo/undo-log.ts'

export type ToolkitOptions = {
  /** The folder that relative paths start from, and that the work should stay in. Default: `process.cwd()`. */
  readonly workspace?: string | undefined
  /** What of which file the model has seen. Tools that are made one by one share what they know by sharing this. */
  readonly files?: FileLog | undefined
  /** Where the old content of files goes that are overwritten or edited. Default: `memoryUndo()` in `toolkit()`; a tool made alone keeps nothing. */
  readonly undo?: UndoLog | undefined
  /** The program `rg` for `glob` and `grep`; `false`: search without it. Default: the one of `@vscode/ripgrep`, else one on the path. */
  readonly ripgrep?: string | false | undefined
  /** The environment of shell commands, before keys are taken out. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Variables that shell commands get although their names look like keys, for example `GITHUB_TOKEN`. */
  readonly keepEnv?: readonly string[] | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/** The workspace as an absolute path; links in it are not resolved yet. */
export const workspaceOf = (options: ToolkitOptions): string => resolve(options.workspace ?? process.cwd())
