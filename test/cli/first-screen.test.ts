import { resolve } from 'node:path'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** What is read when a file of the bundle is loaded: its chunks and theirs, down to the sources that they are made of. */
function sourcesOf({ outputs }: Metafile, source: string): ReadonlySet<string> {
  const chunks = new Set<string>()
  const visit = (path: string): void => {
    if (chunks.has(path)) return
    chunks.add(path)
    for (const { path: next, kind } of outputs[path]!.imports) if (kind === 'import-statement' && outputs[next]) visit(next)
  }
  visit(Object.keys(outputs).find((path) => outputs[path]!.entryPoint === source)!)
  return new Set([...chunks].flatMap((path) => Object.keys(outputs[path]!.inputs)))
}

it('the first screen of a conversation does not wait for the agent, its tools, the sessions and the offline model', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const loaded = sourcesOf(metafile, 'src/cli/conversation.ts')
  expect(loaded.has('src/cli/line-reader.ts')).toBe(true)
  const late = [
    /^src\/agent\//,
    /^src\/toolkit\//,
    /^src\/sessions\//,
    /^src\/session-stores\//,
    /^src\/models\/offline\//,
    /^src\/tools\//,
  ]
  expect([...loaded].filter((path) => late.some((pattern) => pattern.test(path)))).toEqual([])
}, 60_000)
