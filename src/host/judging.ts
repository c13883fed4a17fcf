import { settle } from '../util/abort.ts'
import type { Settled } from '../util/abort.ts'
import { tick } from '../util/clock.ts'
import type { FileSystem, FolderEntry, Lookups } from './file-system.ts'
import { codeOf } from './paths.ts'

/** Rounds of one judgement; each learns at least one answer. */
const maxRounds = 1000
/** Questions that are asked at the same time. */
const maxAtOnce = 16
/** Entries of one folder; no judgement looks at more. */
const maxEntries = 50_000

/**
 * Judges by what a file system holds. `judge` is a plain function of the look-ups that it makes; where the file system answers at once
 * it is called once, and its value is given as it is. Elsewhere it is called again and again: what it asks for and is not known yet
 * throws in that round, is asked, and is known in the next one. Only a round in which nothing was missing counts, so that it does not
 * matter whether `judge` catches what a look-up throws.
 *
 * @throws what `judge` throws; and elsewhere whatever is no answer of a file system, such as a connection that broke: nobody may take
 * that for a file that is not there.
 */
export function judging<T>(files: FileSystem, judge: (look: Lookups) => T): T | Promise<T> {
  return files.atOnce ? judge(files.atOnce) : inRounds(files, judge)
}

/** Of a round that does not count. */
class NotKnownYet extends Error {}

type Ask = <T>(what: string, path: string, find: (path: string) => Promise<T>) => T

async function inRounds<T>(files: FileSystem, judge: (look: Lookups) => T): Promise<T> {
  const known = new Map<string, Settled<unknown>>()
  for (let round = 0; round < maxRounds; round++) {
    const missing = new Map<string, () => Promise<unknown>>()
    const ask: Ask = <Answer>(what: string, path: string, find: (path: string) => Promise<Answer>): Answer => {
      const key = `${what} ${path}`
      const answer = known.get(key)
      if (!answer) {
        missing.set(key, () => find(path))
        throw new NotKnownYet(`${key} is not known yet`)
      }
      if (answer.ok) return answer.value as Answer
      throw answer.error
    }
    const judged = attempt(() => judge(lookupsBy(files, ask)))
    if (missing.size === 0) {
      if (judged.ok) return judged.value
      throw judged.error
    }
    await learn(files, missing, known)
    for (const key of missing.keys()) {
      const answer = known.get(key)!
      if (!answer.ok && !isAnswer(answer.error)) throw answer.error
    }
  }
  throw new Error(`A judgement needed more than ${maxRounds} rounds of questions to the file system.`)
}

function attempt<T>(judge: () => T): Settled<T> {
  try {
    return { ok: true, value: judge() }
  } catch (error) {
    return { ok: false, error }
  }
}

type Asked = Map<string, Promise<Settled<unknown>>>

/**
 * What was asked in this turn of the event loop: the flags of one call are judged side by side, and ask the same. No longer, for a
 * question that is never answered must not hold those who ask again.
 */
const askedNow = new WeakMap<FileSystem, Asked>()

function askedNowIn(files: FileSystem): Asked {
  const known = askedNow.get(files)
  if (known) return known
  const asked: Asked = new Map()
  askedNow.set(files, asked)
  void tick().then(() => askedNow.delete(files))
  return asked
}

async function learn(
  files: FileSystem,
  missing: ReadonlyMap<string, () => Promise<unknown>>,
  known: Map<string, Settled<unknown>>,
): Promise<void> {
  const answerTo = async (key: string, find: () => Promise<unknown>): Promise<void> => {
    const asked = askedNowIn(files)
    const answer = asked.get(key) ?? settle(find())
    asked.set(key, answer)
    known.set(key, await answer)
  }
  const left = [...missing]
  while (left.length > 0) await Promise.all(left.splice(0, maxAtOnce).map(([key, find]) => answerTo(key, find)))
}

const lookupsBy = (files: FileSystem, ask: Ask): Lookups => ({
  realpath: (path) => ask('realpath', path, (at) => files.realpath(at)),
  readlink: (path) => ask('readlink', path, (at) => files.readlink(at)),
  stat: (path) => ask('stat', path, (at) => files.stat(at)),
  exists: (path) => ask('exists', path, (at) => existsIn(files, at)),
  list: (path) => ask('list', path, (at) => entriesOf(files, at)),
  read: (path) => ask('read', path, (at) => contentOf(files, at)),
})

/** What a file system says of a path. */
const answers = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EINVAL', 'ENAMETOOLONG', 'EISDIR', 'ENXIO'])
const isAnswer = (error: unknown): boolean => answers.has(codeOf(error) ?? '')

async function existsIn(files: FileSystem, path: string): Promise<boolean> {
  try {
    await files.stat(path)
    return true
  } catch (error) {
    if (isAnswer(error)) return false
    throw error
  }
}

async function entriesOf(files: FileSystem, path: string): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = []
  for await (const entry of files.list(path)) if (entries.push(entry) >= maxEntries) break
  return entries
}

async function contentOf(files: FileSystem, path: string): Promise<Uint8Array> {
  const file = await files.open(path)
  try {
    const bytes = new Uint8Array(Number((await file.stat()).size))
    let length = 0
    while (length < bytes.length) {
      const read = await file.read(bytes.subarray(length), length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
