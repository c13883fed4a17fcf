import { homedir } from 'node:os'
import type { FileSystem } from '../host/file-system.ts'
import { localFiles } from '../host/local-files.ts'
import { workspaceOf } from './options.ts'
import type { ToolkitOptions } from './options.ts'

/** What the tools of one toolkit stand on. */
export type Ground = {
  /** Absolute; links in it are not resolved. */
  readonly workspace: string
  /** What `~` stands for. */
  readonly home: string
  readonly files: FileSystem
}

/** This machine, unless the options name another one. */
export const groundOf = (options: ToolkitOptions): Ground => ({
  workspace: workspaceOf(options),
  home: options.host?.home ?? homedir(),
  files: options.host?.files ?? localFiles,
})
