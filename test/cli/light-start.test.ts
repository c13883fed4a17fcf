import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** What is loaded with a module before its first line runs: its static imports, and theirs. Types are not loaded. */
function loadedWith(entry: string): { readonly files: readonly string[]; readonly modules: readonly string[] } {
  const files = new Set<string>()
  const modules = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const source = readFileSync(file, 'utf8')
    for (const [, specifier] of source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"()]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)) {
      if (specifier!.startsWith('.')) visit(join(dirname(file), specifier!))
      else modules.add(specifier!)
    }
  }
  visit(join(root, entry))
  return { files: [...files].map((file) => relative(root, file)), modules: [...modules] }
}

it('loads nothing of the SDK before there is a task', () => {
  expect(loadedWith('src/cli/main.ts')).toEqual({ files: ['src/cli/main.ts', 'src/cli/version.ts'], modules: [] })
  const { files, modules } = loadedWith('src/cli/process.ts')
  expect(files.filter((file) => !file.startsWith('src/cli/'))).toEqual([])
  expect(modules.filter((name) => !name.startsWith('node:') || !builtinModules.includes(name.slice(5)))).toEqual([])
  expect(files).toContain('src/cli/run-cli.ts')
  expect(files.length).toBeLessThan(40)
})

it('would see the SDK if it were loaded', () => {
  expect(loadedWith('src/cli/create-agent.ts').files).toContain('src/agent/agent.ts')
})
