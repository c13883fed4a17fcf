import type { Lookups } from '../../host/file-system.ts'
import type { CommandEnd } from '../../host/host.ts'
import { judging } from '../../host/judging.ts'
import { resolveLinks } from '../../host/paths.ts'
import { isFolder } from '../files/is-folder.ts'
import type { Ground } from '../ground.ts'

/** The folder that commands run in. It is kept from one to the next: each starts where the one before it ended. */
export interface WorkingFolder {
  /** Links resolved. */
  path(look: Lookups): string
  /** Runs a command there, which says where it ended. Gives notes for the model. */
  run(run: (cwd: string) => Promise<CommandEnd>): Promise<{ readonly end: CommandEnd; readonly notes: readonly string[] }>
}

export function workingFolder({ workspace, files }: Pick<Ground, 'workspace' | 'files'>): WorkingFolder {
  let current: string | undefined
  const path = (look: Lookups): string => current ?? resolveLinks(look, workspace)
  return {
    path,
    async run(run) {
      const notes: string[] = []
      current = await judging(files, path)
      if (!(await isFolder(files, current))) {
        notes.push(`[The working folder ${current} is gone; the command ran in the workspace.]`)
        current = await judging(files, (look) => resolveLinks(look, workspace))
        if (!(await isFolder(files, current)))
          throw new Error(
            `There is no workspace folder ${JSON.stringify(workspace)} to run commands in. Create it with write_file, which makes parent folders.`,
          )
      }
      const cwd = current
      const end = await run(cwd)
      if (end.folder !== undefined && end.folder !== cwd && (await isFolder(files, end.folder))) {
        current = end.folder
        notes.push(`[The working folder is ${end.folder} now.]`)
      }
      return { end, notes }
    },
  }
}
