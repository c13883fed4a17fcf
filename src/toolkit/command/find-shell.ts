import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The program that runs commands: bash where there is one, else the plain shell of the system. */
export async function findShell(path: string | undefined): Promise<string> {
  for (const folder of [...(path ?? '').split(delimiter).filter((part) => part.startsWith('/')), '/bin']) {
    const program = join(folder, 'bash')
    if (await isExecutable(program)) return program
  }
  return '/bin/sh'
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
