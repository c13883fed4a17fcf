import { randomUUID } from 'node:crypto'
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { UsageError } from '../usage-error.ts'
import { whileLocked } from '../while-locked.ts'
import { isObject } from './servers-in.ts'

type Content = Record<string, unknown>
export type Servers = Record<string, unknown>

/** What a file was, and what it is now. */
export type Edited = { readonly before: string | undefined; readonly after: string }

/**
 * Changes the servers of a file and leaves everything else in it as it is: other keys, their order, the indentation, the ends of
 * the lines. The file is whole at any time, and changes of several processes are made one after another. A link stays one: the file
 * that it leads to is changed.
 *
 * @param then what belongs to the change: done before the next process makes its own.
 * @throws {UsageError} when the file cannot be understood; it is not changed then.
 */
export async function editServers<T>(
  path: string,
  isShared: boolean,
  change: (servers: Servers) => Servers,
  then: (edited: Edited) => Promise<T>,
): Promise<T> {
  const target = await realpath(path).catch(() => path)
  return await whileLocked(target, async () => {
    const before = await textOf(target)
    const content = before === undefined ? {} : contentOf(path, before)
    const servers = content['mcpServers'] ?? {}
    if (!isObject(servers))
      throw new UsageError(`${path}: mcpServers must be an object, and is none. Correct it by hand first; it was not changed.`)
    const after = textLike(before, { ...content, mcpServers: change(servers) })
    await put(target, after, isShared)
    return await then({ before, after })
  })
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

function contentOf(path: string, text: string): Content {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, '').trim() || '{}')
    if (isObject(content)) return content
  } catch {
    // Told below.
  }
  throw new UsageError(`${path} holds no JSON object. Correct it by hand first; it was not changed.`)
}

/** JSON in the form that the file had. */
function textLike(before = '', content: Content): string {
  const indent = /^[{[]\r?\n([ \t]+)/.exec(before.replace(/^\uFEFF/, ''))?.[1] ?? '  '
  const text = `${JSON.stringify(content, undefined, indent)}${before === '' || /\n\s*$/.test(before) ? '\n' : ''}`
  return `${before.startsWith('\uFEFF') ? '\uFEFF' : ''}${before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text}`
}

/** A file of the user's own is private: it may hold keys. One of a project has the rights that it had. */
async function put(path: string, text: string, isShared: boolean): Promise<void> {
  const beside = `${path}.${randomUUID()}`
  const mode = isShared
    ? await stat(path).then(
        (found) => found.mode & 0o777,
        () => 0o644,
      )
    : 0o600
  try {
    await writeFile(beside, text, { flag: 'wx', mode })
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}
