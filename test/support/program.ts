import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

let folder: string | undefined
const made = new Map<string, Promise<string>>()

/**
 * A program in TypeScript that a test starts, as one file that Node runs by itself, made of the sources as they are now. To start
 * it through a loader costs ten times as much, each time. Made once for all files of a process of tests.
 *
 * @param source its file, or its text when it has more lines than one: imports are relative to the root of the project then.
 */
export async function programOf(source: string | URL): Promise<string> {
  const entry = source instanceof URL ? fileURLToPath(source) : source
  const known = made.get(entry) ?? bundle(entry, made.size)
  made.set(entry, known)
  return await known
}

async function bundle(entry: string, index: number): Promise<string> {
  folder ??= newFolder()
  const outfile = join(folder, `program-${index}.mjs`)
  const input = entry.includes('\n')
    ? { stdin: { contents: entry, loader: 'ts' as const, resolveDir: resolve('.') } }
    : { entryPoints: [entry] }
  await build({ ...input, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20' })
  return outfile
}

/** It goes with the run: `scripts/temporary-folder.ts`. */
function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'lena-programs-'))
  // Packages are found from there too.
  symlinkSync(resolve('node_modules'), join(made, 'node_modules'))
  return made
}
