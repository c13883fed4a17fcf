import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts a file in place as a whole, readable by the user alone. Folders that are missing are made, as private. */
export async function writePrivate(path: string, text: string, mode = 0o600): Promise<void> {
  const beside = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(beside, text, { flag: 'wx', mode })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {})
    throw error
  }
}
