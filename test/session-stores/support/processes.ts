import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { build } from 'esbuild'

/** Bundles the writer, so that a process starts at once. Gives the path of the program. */
export async function buildWriter(folder: string, name = 'writer'): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  const entryPoints = [`test/session-stores/support/${name}.ts`]
  await build({ entryPoints, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' })
  // The libraries of databases are found from there too.
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) await symlink(resolve('node_modules'), modules)
  return outfile
}

export type Writer = {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  /** Begins to write. */
  readonly start: () => void
  /** The ids that were acknowledged so far. */
  readonly acknowledged: () => readonly string[]
  readonly ended: Promise<unknown>
}

/** Resolves when the process is ready to write. */
export async function startWriter(program: string, ...args: readonly (string | number)[]): Promise<Writer> {
  const child = spawn(process.execPath, [program, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  // Killed while it is told to start: that is what is tested.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), ended])
  return {
    child,
    start: () => void child.stdin.write('go\n'),
    // The last line may be cut.
    acknowledged: () => said.split('\n').slice(1, -1),
    ended,
  }
}
