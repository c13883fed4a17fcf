import type { CommandEnd, CommandRequest, Host } from '../../host/host.ts'
import type { FileSystem, FolderEntry } from '../../host/file-system.ts'
import { codeOf } from '../../host/paths.ts'
import { within } from '../within.ts'

/** For a command line: a machine far away starts a program for each, and this one may be busy. */
const commandMs = 30_000

export type Ran = { readonly end: CommandEnd; readonly output: string }

/** A host under test, with an empty folder on it. Every wait is bounded. */
export class Machine {
  readonly host: Host
  readonly files: FileSystem
  readonly folder: string
  /** What is open: a test that fails does not come to close it. */
  readonly #open = new Set<Closable>()

  constructor(host: Host, folder: string) {
    this.host = host
    this.files = bounded(host.files, this.#open)
    this.folder = folder
  }

  async close(): Promise<void> {
    for (const file of this.#open) await within(file.close(), 'the end of close()').catch(() => {})
  }

  path(name: string): string {
    return `${this.folder}/${name}`
  }

  /** Makes a file by the port itself. */
  async write(name: string, content: string | Uint8Array = ''): Promise<string> {
    const path = this.path(name)
    const file = await this.files.create(path)
    await file.write(typeof content === 'string' ? new TextEncoder().encode(content) : content)
    await file.close()
    return path
  }

  /** All bytes of a file, by the port itself. */
  async bytes(path: string): Promise<Uint8Array> {
    const file = await this.files.open(path)
    try {
      const parts: Uint8Array[] = []
      let length = 0
      for (;;) {
        const part = new Uint8Array(64 * 1024)
        const read = await file.read(part, length)
        if (read === 0) break
        parts.push(part.subarray(0, read))
        length += read
      }
      const all = new Uint8Array(length)
      parts.reduce((at, part) => (all.set(part, at), at + part.length), 0)
      return all
    } finally {
      await file.close()
    }
  }

  async text(path: string): Promise<string> {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.bytes(path))
  }

  async entries(path: string): Promise<readonly FolderEntry[]> {
    const entries: FolderEntry[] = []
    for await (const { name, kind } of this.files.list(path)) entries.push({ name, kind })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Runs a command line to its end. */
  async run(command: string, parts: Partial<CommandRequest> = {}): Promise<Ran> {
    const said: string[] = []
    let hasEnded = false
    const request: CommandRequest = {
      command,
      cwd: this.folder,
      env: definedOf(this.host.env),
      timeoutMs: commandMs,
      signal: new AbortController().signal,
      tellsFolder: false,
      ...parts,
      onOutput(text) {
        if (hasEnded) throw new Error(`output came behind the end of ${shown(command)}: ${shown(text)}`)
        said.push(text)
        parts.onOutput?.(text)
      },
    }
    const ended = await within(this.host.run(request), `the end of ${shown(command)}`, request.timeoutMs + commandMs)
    hasEnded = true
    if (!ended.ok) throw ended.error
    return { end: ended.value, output: said.join('') }
  }

  /** What a script prints that must not fail. It makes what the port cannot make. */
  async sh(script: string): Promise<string> {
    const { end, output } = await this.run(script)
    if (end.why !== 'exited' || end.exitCode !== 0) throw new Error(`the script ${shown(script)} ended with ${shown(end)}: ${output}`)
    return output
  }

  /** To root nothing is forbidden. */
  async isRoot(): Promise<boolean> {
    return (await this.sh('id -u')).trim() === '0'
  }
}

export const definedOf = (env: Host['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** A word of a command line. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

type Closable = { close(): Promise<void> }

function bounded(files: FileSystem, opened: Set<Closable>): FileSystem {
  const soon = async <T>(what: string, promise: Promise<T>): Promise<T> => {
    const ended = await within(promise, what, commandMs)
    if (!ended.ok) throw ended.error
    return ended.value
  }
  const close = async (file: Closable, what: string): Promise<void> => {
    opened.delete(file)
    await soon(`close() behind ${what}`, file.close())
  }
  return {
    stat: (path) => soon(`stat(${shown(path)})`, files.stat(path)),
    lstat: (path) => soon(`lstat(${shown(path)})`, files.lstat(path)),
    realpath: (path) => soon(`realpath(${shown(path)})`, files.realpath(path)),
    readlink: (path) => soon(`readlink(${shown(path)})`, files.readlink(path)),
    async *list(path) {
      const entries = files.list(path)[Symbol.asyncIterator]()
      const what = `list(${shown(path)})`
      try {
        for (;;) {
          const step = await soon(what, entries.next())
          if (step.done) return
          yield step.value
        }
      } finally {
        await soon(`the end of ${what}`, Promise.resolve(entries.return?.()))
      }
    },
    async open(path) {
      const what = `open(${shown(path)})`
      const file = await soon(what, files.open(path))
      opened.add(file)
      return {
        stat: () => soon(`stat() behind ${what}`, file.stat()),
        read: (into, position) => soon(`read(…, ${position}) behind ${what}`, file.read(into, position)),
        close: () => close(file, what),
      }
    },
    async create(path) {
      const what = `create(${shown(path)})`
      const file = await soon(what, files.create(path))
      opened.add(file)
      return {
        write: (data, like) => soon(`write(…) behind ${what}`, file.write(data, like)),
        close: () => close(file, what),
      }
    },
    makeFolder: (path) => soon(`makeFolder(${shown(path)})`, files.makeFolder(path)),
    rename: (from, to) => soon(`rename(${shown(from)}, ${shown(to)})`, files.rename(from, to)),
    remove: (path) => soon(`remove(${shown(path)})`, files.remove(path)),
    checkWritable: (path) => soon(`checkWritable(${shown(path)})`, files.checkWritable(path)),
  }
}

/** @throws {Error} unless it fails with one of the codes. */
export async function fails(promise: Promise<unknown>, codes: string | readonly string[], what: string): Promise<void> {
  const wanted = `an error with the code ${[codes].flat().join(' or ')}`
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    if ([codes].flat().includes(codeOf(error) ?? '')) return
    throw new Error(`${what}: expected ${wanted}, got the code ${shown(codeOf(error))} (${String(error)})`, { cause: error })
  }
  throw new Error(`${what}: expected ${wanted}, and it ended well with ${shown(value)}`)
}

const shown = (value: unknown): string => whole(value).slice(0, 400)

const whole = (value: unknown): string =>
  value === undefined ? 'undefined' : JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))

export function same(got: unknown, wanted: unknown, what: string): void {
  if (whole(got) !== whole(wanted)) throw new Error(`${what}: expected ${shown(wanted)}, got ${shown(got)}`)
}

export function isTrue(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

export function sameBytes(got: Uint8Array, wanted: Uint8Array, what: string): void {
  same(got.length, wanted.length, `${what}, its length`)
  for (let i = 0; i < got.length; i++) if (got[i] !== wanted[i]) throw new Error(`${what}: byte ${i} is ${got[i]}, expected ${wanted[i]}`)
}

/** Adds a test: what must be so, and how it is looked at. */
export type AddTest = (name: string, run: (machine: Machine) => Promise<void>) => void
