import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileError } from '../files/file-error.ts'
import { refuseOther } from '../files/open-regular.ts'
import { locate, resolveLinks } from '../files/paths.ts'
import type { Place } from './hits.ts'
import { isInRepository } from './ignore-files.ts'

/** The folder, or the one file, that a path names. The path itself may be a link; those below it are not followed. */
export async function searchPlace(workspace: string, given: string): Promise<Omit<Place, 'wants' | 'ripgrepArgs'>> {
  const path = locate(workspace, given)
  try {
    const real = resolveLinks(path)
    const stats = await stat(real, { bigint: true })
    if (stats.isDirectory()) return { folder: real, isInRepository: await isInRepository(real) }
    refuseOther(stats, given)
    return { folder: dirname(real), file: basename(real), isInRepository: await isInRepository(dirname(real)) }
  } catch (error) {
    throw await fileError(error, path, given)
  }
}
