import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { UsageError } from '../usage-error.ts'
import { whileLocked } from '../while-locked.ts'
import { isObject } from './config-file.ts'
import type { SettingName } from './setting-table.ts'

/**
 * Puts a setting into a file, and leaves the rest of it as it is; `undefined` takes the setting out. The file is whole at any time.
 *
 * @throws {UsageError} when the file cannot be understood: it is not overwritten then.
 */
export async function writeSetting(path: string, name: SettingName, value: unknown): Promise<void> {
  // Another terminal may change another setting of it just now.
  await whileLocked(path, () => writeNow(path, name, value))
}

async function writeNow(path: string, name: SettingName, value: unknown): Promise<void> {
  const content = await contentOf(path)
  const [group, key] = name.split('.') as [string, string | undefined]
  if (key === undefined) set(content, group, value)
  else {
    const object = content[group] ?? {}
    if (!isObject(object))
      throw new UsageError(`${path}: ${group} must be an object, got ${JSON.stringify(object)}. Correct it by hand first.`)
    set(object, key, value)
    set(content, group, Object.keys(object).length === 0 ? undefined : object)
  }
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(beside, `${JSON.stringify(content, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

async function contentOf(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new UsageError(`${path} cannot be read: ${error.message}.`)
  })
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isObject(content)) return content
  } catch {
    // Told below.
  }
  throw new UsageError(`${path} holds no JSON object. Correct it by hand first; it was not changed.`)
}

function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete object[key]
  else object[key] = value
}
