import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from './usage-error.ts'

/** In milliseconds: each of the others needs some, and there may be several. */
const usualPatienceMs = 15_000
/** No change takes so long: who holds a lock since then is not alive, or not who it was. */
const staleMs = 60_000

/**
 * Does something with a file while no other process that asks like this does: to read it, change it and put it back is one step
 * then, and nobody's change is lost. A process that was killed meanwhile keeps nobody waiting.
 *
 * @param patienceMs how long others may take.
 * @throws {UsageError} when others do not let go of it.
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>, patienceMs = usualPatienceMs): Promise<T> {
  const lock = `${path}.lock`
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await take(lock, { mine, path, patienceMs })
  try {
    return await work()
  } finally {
    if ((await contentOf(lock)) === mine) await rm(lock, { force: true })
  }
}

type Taking = { readonly mine: string; readonly path: string; readonly patienceMs: number }

async function take(lock: string, { mine, path, patienceMs }: Taking): Promise<void> {
  const until = Date.now() + patienceMs
  while (!(await isTaken(lock, mine))) {
    const theirs = await contentOf(lock)
    if (theirs !== undefined && (await isStale(lock, theirs))) await putAside(lock, theirs)
    else if (Date.now() > until)
      throw new UsageError(
        `${path} is being changed by another process (${whose(theirs)}), and was not changed. Try again; if there is none, remove ${lock}.`,
      )
    // No file system says everywhere when a file has gone. Not all at once again.
    else await sleep(5 + Math.random() * 30)
  }
}

/** Whole or not at all: nobody finds a lock that does not say yet whose it is. */
async function isTaken(lock: string, mine: string): Promise<boolean> {
  const beside = `${lock}.${randomUUID()}`
  try {
    await writeFile(beside, mine, { flag: 'wx', mode: 0o600 })
    await link(beside, lock)
    return true
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Not every file system has links.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return await isWritten(lock, mine)
    throw new UsageError(`${dirname(lock)} cannot be written to: ${message}.`)
  } finally {
    await rm(beside, { force: true })
  }
}

const isWritten = (lock: string, mine: string): Promise<boolean> =>
  writeFile(lock, mine, { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw new UsageError(`${dirname(lock)} cannot be written to: ${error.message}.`)
    },
  )

const contentOf = (lock: string): Promise<string | undefined> => readFile(lock, 'utf8').catch(() => undefined)

type Holder = { readonly pid?: unknown; readonly host?: unknown }

function holderOf(content: string | undefined): Holder {
  try {
    return (JSON.parse(content ?? '{}') ?? {}) as Holder
  } catch {
    return {}
  }
}

const whose = (content: string | undefined): string => {
  const { pid, host } = holderOf(content)
  return typeof pid === 'number' ? `${pid}${host === hostname() ? '' : ` on ${String(host)}`}` : 'it does not say which'
}

async function isStale(lock: string, content: string): Promise<boolean> {
  const { pid, host } = holderOf(content)
  if (typeof pid === 'number' && host === hostname() && !isAlive(pid)) return true
  const since = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NaN,
  )
  return Date.now() - since > staleMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is somebody else's, and there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes a lock away, but only the one that was looked at: meanwhile another may have done so, and taken it. */
async function putAside(lock: string, content: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`
  try {
    await rename(lock, aside)
  } catch {
    return
  }
  if ((await contentOf(aside)) !== content) await link(aside, lock).catch(() => {})
  await rm(aside, { force: true })
}
