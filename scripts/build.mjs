// @ts-check
/**
 * Builds what is published: one bundle for each entry that package.json names, and the declarations.
 *
 *   node scripts/build.mjs                 all of dist/
 *   node scripts/build.mjs --bundle-only   without the declarations
 *   node scripts/build.mjs --types-checked all of dist/, where the types were checked elsewhere: half the work
 *
 * Plain JavaScript, so that it starts at once. Files that did not change are not touched: a program that runs from dist/ keeps
 * running while it is built again.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundled, entriesOf } from './entries.mjs'
import { licencesOf } from './licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** @returns {Promise<string[]>} the paths of the files that belong into dist/ */
async function bundle() {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = entriesOf(manifest)
  const missing = entries.filter(({ source }) => !existsSync(join(root, source)))
  if (missing.length > 0) {
    throw new Error(missing.map(({ source, output }) => `package.json publishes ${output}, but there is no ${source}.`).join('\n'))
  }
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    // All in one call: what two entries share is one chunk, so that there is one AgentError however it was imported.
    entryPoints: Object.fromEntries(entries.map(({ source, output }) => [output.replace(/^dist\/(.*)\.js$/, '$1'), source])),
    outdir: 'dist',
    plugins: [besideTheRoot(entries)],
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    // The root runs in a browser too: a module of Node is named `node:…` by those who need it, and never comes in by chance.
    platform: 'neutral',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['node:*', ...Object.keys({ ...manifest.peerDependencies, ...manifest.optionalDependencies })],
    sourcemap: 'linked',
    // The sources travel in the package.
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]))
  files.set(join(dist, 'THIRD-PARTY-LICENSES.txt'), Buffer.from(await licencesOf(metafile, bundled, root)))
  for (const [path, contents] of files) await writeIfChanged(path, contents)
  for (const { subpath, output } of entries) if (subpath === undefined) await chmod(join(root, output), 0o755)
  return [...files.keys()]
}

/** Parts of the terminal agent that use what the root is made of, and are not needed for the first prompt. */
const withAnAgent = ['workbench.ts', 'list-tools.ts', 'sessions/session-folder.ts', 'trace/command.ts', 'mcp/list-servers.ts'].map((path) =>
  join(...path.split('/')),
)

/**
 * Has each library entry load the root too. Whoever imports one uses the root as well, so this costs nothing; and what the root is
 * made of, every entry then has in common: it stays one chunk, where otherwise each set of entries that share a module would cut
 * another piece out of it.
 *
 * @param {readonly { subpath: string | undefined, source: string }[]} entries
 * @returns {import('esbuild').Plugin}
 */
function besideTheRoot(entries) {
  const sources = new Map(
    entries.flatMap(({ subpath, source }) => (subpath === undefined || subpath === '.' ? [] : [[join(root, source), source]])),
  )
  return {
    name: 'beside-the-root',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
        if (kind === 'entry-point' && sources.has(join(root, path))) return { path: join(root, path), namespace: 'beside-the-root' }
        // What is loaded later is an entry to the one who makes chunks. The terminal agent's parts stay as light as they are, but for
        // those that come with an agent.
        if (kind !== 'dynamic-import' || !path.startsWith('.')) return undefined
        const target = resolve(dirname(importer), path)
        const isOfTerminal = relative(root, importer).startsWith(join('src', 'cli'))
        const isOurs = !isOfTerminal || sources.has(target) || withAnAgent.includes(relative(join(root, 'src/cli'), target))
        return isOurs ? { path: target, namespace: 'beside-the-root' } : undefined
      })
      build.onResolve({ filter: /^lena-root$/ }, () => ({ path: join(root, 'src/index.ts'), sideEffects: true }))
      build.onLoad({ filter: /.*/, namespace: 'beside-the-root' }, ({ path }) => ({
        contents: `import 'lena-root'\nexport * from ${JSON.stringify(path)}`,
        resolveDir: root,
      }))
    },
  }
}

/** Emits the declarations, file by file as the sources are. */
async function declare() {
  const types = join(dist, 'types')
  await rm(types, { recursive: true, force: true })
  const known = process.argv.includes('--types-checked') ? ['--noCheck'] : []
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', ...known])
  for (const entry of await readdir(types, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.d.ts')) continue
    const path = join(entry.parentPath, entry.name)
    // The compiler leaves `./x.ts` as it is. Of the same length, so that the source maps still fit.
    await writeFile(path, (await readFile(path, 'utf8')).replace(/((?:from |import\()(['"])\.{1,2}\/[^'"]+)\.ts\2/g, '$1.js$2'))
  }
}

/** @param {string} path @param {Uint8Array} contents */
async function writeIfChanged(path, contents) {
  const there = await readFile(path).catch(() => undefined)
  if (there?.equals(contents)) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, contents)
}

/** What an earlier build left behind goes; the declarations stay. @param {readonly string[]} kept */
async function removeOthers(kept) {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && relative(dist, path).split(sep)[0] !== 'types' && !kept.includes(path)) await rm(path, { force: true })
  }
}

/** @param {string} command @param {readonly string[]} args @returns {Promise<void>} */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code, signal) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code ?? signal}.`))))
  })
}

const [files, types] = await Promise.allSettled([bundle(), process.argv.includes('--bundle-only') ? undefined : declare()])
if (files.status === 'fulfilled') await removeOthers(files.value)
for (const part of [files, types]) {
  if (part.status === 'fulfilled') continue
  console.error(part.reason instanceof Error ? part.reason.message : part.reason)
  process.exitCode = 1
}
