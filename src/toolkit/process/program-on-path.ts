import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { localLookups } from '../../host/local-files.ts'
import { isInside, resolveLinks } from '../../host/paths.ts'

/**
 * A program on the path, but never one in the workspace: whoever wrote the project would choose what runs. `undefined` when there is
 * none.
 */
export async function programOnPath(name: string, path: string | undefined, workspace: string): Promise<string | undefined> {
  const inside = resolveLinks(localLookups, workspace)
  // All would lie in it.
  const isAll = dirname(inside) === inside
  for (const folder of (path ?? '').split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name)
    if ((await isExecutable(program)) && (isAll || !isInside(inside, resolveLinks(localLookups, program)))) return program
  }
  return undefined
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
