import { constants } from 'node:fs'
import { lstat, open, realpath, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { settleOrAbort } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import { wellFormed } from '../util/json.ts'
import { isOurs, makePrivate, refuseShared } from './private-folder.ts'
import { readPage } from './read-chars.ts'
import { charsInName, conversationFolder, looksLikeResult, newFileName } from './result-path.ts'
import type { OwnResultStore } from './result-store.ts'
import { checkRoot, defaultFolders, openRoot } from './results-folder.ts'
import type { Root } from './results-folder.ts'
import { checkConversation, checkPut, checkRead } from './store-calls.ts'
import { noRoom, notKept } from './store-errors.ts'
import { removeConversation, sweep } from './sweep.ts'
import { aBound, aFilledText, checkOptions, having } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'

export type FileResultsOptions = {
  /** A folder for results alone; made if need be, with mode 0700. Default: `lena-agent/results` in the user's folder for state. */
  readonly dir?: string | undefined
  /** Of all results in the folder together, in bytes. Default: 1 GiB. */
  readonly maxBytes?: number | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
}

const rules: RulesOf<FileResultsOptions> = {
  dir: ['the path of a folder; leave it out for the default', aFilledText[1]],
  maxBytes: aBound,
  clock: having('a clock', 'now'),
}

/** For one sweep. */
const sweepBounds = { maxMs: 500, maxFolders: 2000 }
/** A conversation's folder may be removed by another process just when a result is on its way into it. */
const maxTries = 5

/**
 * Results as files that only this user can read: a folder with mode 0700, files with mode 0600 and names that cannot be guessed.
 * Any number of processes may use one folder at once.
 *
 * Results are removed with their conversation, or 30 days after its last result; the first use looks for those. When there are more
 * than `maxBytes`, other conversations go, those first that had no result for longest; what does not fit then is refused.
 * Without `dir` and without a home that can be written to, a folder of the user's own in the temporary folder is used. A folder that
 * is a link, is another user's, or can be opened by others, is refused: nothing is written to it.
 *
 * @throws {InputError} for options that cannot be meant.
 */
export function fileResults(options: FileResultsOptions = {}): OwnResultStore {
  checkOptions('fileResults', options, rules)
  const { dir, maxBytes = 1024 * 1024 * 1024, clock = systemClock } = options
  // Now: the working folder of the process may be another one later.
  const folders = dir === undefined ? defaultFolders() : [resolve(dir)]
  let opening: Promise<Root> | undefined
  /** Bytes in the folder, as far as is known: other processes write too. */
  let total: number | undefined
  /** Bytes on their way into it, and when each of them is there. */
  let coming = 0
  const writing = new Set<Promise<void>>()
  let making: Promise<unknown> = Promise.resolve()

  const openOnce = async (): Promise<Root> => {
    opening ??= openRoot(folders)
    try {
      const root = await opening
      await checkRoot(root)
      return root
    } catch (error) {
      // It may be put right until the next time.
      opening = undefined
      throw error
    }
  }
  /** Once more where the folder was cleared away while it was in use: the result that comes now is none the worse for it. */
  const openAgain = async (error: NodeJS.ErrnoException): Promise<Root> => {
    if (error.code !== 'ENOENT') throw error
    total = undefined
    return await openOnce()
  }

  /** @throws {AgentError} when there is no room, and none can be made. */
  const makeRoom = async (root: Root, own: string, bytes: number, signal: AbortSignal): Promise<void> => {
    if (bytes > maxBytes) throw noRoom(`${bytes} bytes`, `${maxBytes}`)
    const left = (): number => maxBytes - coming - (total ?? maxBytes)
    if (bytes <= left()) return
    // What comes in while the folder is looked through would be counted twice, or not at all.
    await settleOrAbort(Promise.all(writing), signal)
    signal.throwIfAborted()
    const conversations = await sweep({ root: root.path, clock, signal, ...sweepBounds })
    total = conversations.reduce((sum, folder) => sum + folder.bytes, 0)
    for (const { path } of [...conversations].sort((a, b) => a.changedMs - b.changedMs)) {
      if (bytes <= left()) return
      if (path === own) continue
      // One that is not ours to remove is no reason to refuse what another makes room for.
      const freed = await removeConversation(path).catch(() => 0)
      total -= freed
    }
    if (bytes > left()) throw noRoom(`${bytes} bytes`, `${Math.max(0, left())} more of ${maxBytes}`)
  }
  /** One after another: two that look at once would both take the last room. Gives what says that the bytes are there, or will not come. */
  const takeRoom = (...wanted: Parameters<typeof makeRoom>): Promise<() => void> => {
    const made = making
      .then(() => makeRoom(...wanted))
      .then(() => {
        const bytes = wanted[2]
        coming += bytes
        let end: () => void
        const written = new Promise<void>((resolve) => (end = resolve))
        writing.add(written)
        return () => {
          coming -= bytes
          writing.delete(written)
          end()
        }
      })
    making = made.catch(() => {})
    return made
  }

  /** The real path of a stored result; `undefined` for whatever else. Links are refused, wherever they lead. */
  const find = async (path: string): Promise<string | undefined> => {
    if (typeof path !== 'string' || !isAbsolute(path) || resolve(path) !== path || !looksLikeResult(path)) return undefined
    try {
      for (const folder of folders) {
        const root = await realpath(folder).catch(() => undefined)
        const conversation = dirname(path)
        const above = dirname(conversation)
        if (root === undefined || (above !== root && above !== folder)) continue
        refuseShared(await lstat(folder), folder)
        refuseShared(await lstat(conversation), conversation)
        const stats = await lstat(path)
        if (stats.isFile() && isOurs(stats)) return path
      }
    } catch {
      // Not there, or not to be trusted.
    }
    return undefined
  }

  return {
    readers: [{ name: 'read_file', offset: 'line' }],

    async put(result, options) {
      const { signal } = checkPut(result, options)
      const { text, conversationId } = result
      signal.throwIfAborted()
      const root = await openOnce().catch(openAgain)
      const folder = join(root.path, await conversationFolder(conversationId))
      const bytes = Buffer.from(wellFormed(text))
      const over = await takeRoom(root, folder, bytes.length, signal)
      try {
        const path = await writeIn(folder, bytes, text.length, signal)
        if (total !== undefined) total += bytes.length
        return { path }
      } finally {
        over()
      }
    },

    async read(path, options) {
      const { offset, limit, signal } = checkRead(path, options)
      const found = await find(path)
      if (found === undefined) throw notKept(path)
      const handle = await open(found, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => {
        throw notKept(path)
      })
      try {
        const stats = await handle.stat()
        if (!stats.isFile() || !isOurs(stats)) throw notKept(path)
        return await readPage(handle, { offset, limit, chars: charsInName(found), bytes: stats.size, signal })
      } finally {
        await handle.close()
      }
    },

    owns: async (path) => (await find(path)) !== undefined,

    async remove(conversationId) {
      checkConversation(conversationId)
      for (const folder of folders) {
        const root = await lstat(folder).catch(() => undefined)
        if (!root) continue
        // What was planted in the place of a default folder holds nothing of ours.
        if (dir !== undefined) refuseShared(root, folder)
        else if (!root.isDirectory() || !isOurs(root)) continue
        const freed = await removeConversation(join(folder, await conversationFolder(conversationId)))
        if (total !== undefined) total = Math.max(0, total - freed)
      }
    },
  }
}

/** Writes a result into a file of its own, whole or not at all. Gives its path. */
async function writeIn(folder: string, bytes: Buffer, chars: number, signal: AbortSignal): Promise<string> {
  const { handle, path } = await createIn(folder, chars)
  try {
    await handle.writeFile(bytes, { signal })
    return path
  } catch (error) {
    // Nobody knows of the half that was written. If it cannot be removed, the sweep will.
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}

/** A new file in a conversation's folder. Exclusive: what is there already, a link above all, is never opened. */
async function createIn(folder: string, chars: number): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  for (let tries = 1; ; tries++) {
    try {
      await makePrivate(folder)
      const path = join(folder, await newFileName(chars))
      return { handle: await open(path, 'wx', 0o600), path }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries >= maxTries) throw error
    }
  }
}
