import { basename, dirname } from 'node:path'
import { judging } from '../../host/judging.ts'
import { resolveLinks } from '../../host/paths.ts'
import { fileError } from '../files/file-error.ts'
import { refuseOther } from '../files/open-regular.ts'
import { locate } from '../files/paths.ts'
import type { Ground } from '../ground.ts'
import type { Place } from './hits.ts'
import { isInRepository } from './ignore-files.ts'

/** The folder, or the one file, that a path names. The path itself may be a link; those below it are not followed. */
export async function searchPlace(ground: Ground, given: string): Promise<Omit<Place, 'wants' | 'ripgrepArgs'>> {
  const { files } = ground
  const path = locate(ground, given)
  try {
    const real = await judging(files, (look) => resolveLinks(look, path))
    const stats = await files.stat(real)
    if (stats.kind === 'folder') return { files, folder: real, isInRepository: await isInRepository(files, real) }
    refuseOther(stats, given)
    const folder = dirname(real)
    return { files, folder, file: basename(real), isInRepository: await isInRepository(files, folder) }
  } catch (error) {
    throw await fileError(files, error, path, given)
  }
}
