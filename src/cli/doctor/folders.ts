import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { configFolder, stateFolder } from '../folders.ts'
import type { Check, Finding } from './finding.ts'

/** Could something be written there? A folder that is not there yet is made when it is needed, in the nearest one above it. */
async function writable(about: string, folder: string, ifNot: Finding['state']): Promise<Finding> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined)
    if (!found && dirname(at) !== at) continue
    if (!found?.isDirectory()) return { state: ifNot, about, said: `${at} is no folder` }
    const can = await access(at, constants.W_OK).then(
      () => true,
      () => false,
    )
    return can
      ? { state: 'good', about, said: `${folder}${at === folder ? '' : ' (made when it is needed)'}` }
      : { state: ifNot, about, said: `${folder}: ${at} cannot be written to` }
  }
}

export const folders: Check = async ({ io, workspace }) => [
  await writable('work', workspace, 'note'),
  await writable('settings', configFolder(io), 'note'),
  // Without it nothing is kept, and Lena works all the same.
  await writable('sessions', stateFolder(io), 'note'),
]
