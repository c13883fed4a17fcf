import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { entriesOf } from '../../scripts/entries.mjs'

const execute = promisify(execFile)
// npm and the compiler start up here.
const minute = 60_000
vi.setConfig({ testTimeout: minute, hookTimeout: 3 * minute })

let folder: string
let packed: readonly string[]
let installed: readonly string[]

/** Runs a program in the folder of a user who has installed the tarball. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, args, { cwd: folder, timeout: minute }).catch((error: { stdout?: string; stderr?: string }) => {
    // The message of the error itself does not hold what the program said.
    throw new Error(`${command} ${args.join(' ')} failed.\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error })
  })
  return stdout
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lena-pack-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-user', private: true, type: 'module' }))
  const said = await run('npm', 'pack', resolve('.'), '--ignore-scripts', '--json')
  const [tarball] = JSON.parse(said) as [{ filename: string; files: { path: string }[] }]
  packed = tarball.files.map(({ path }) => path)
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', `./${tarball.filename}`)
  installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the tarball', () => {
  it('holds the bundles, the sources, the licences and the documents', () => {
    const needed = [
      ...entriesOf(manifest).flatMap(({ source, output }) => [source, output]),
      'dist/types/index.d.ts',
      'dist/THIRD-PARTY-LICENSES.txt',
      'LICENSE',
      'README.md',
    ]
    expect(needed.filter((path) => !packed.includes(path))).toEqual([])
  })

  it('holds nothing else', () => {
    expect(packed.filter((path) => !/^(dist|src|docs|examples)\/|^(package\.json|LICENSE|README\.md|CHANGELOG\.md)$/.test(path))).toEqual(
      [],
    )
  })

  it('brings no other package, but a search program to those who take optional ones, and runs nothing at install', () => {
    expect(installed).toEqual(['lena-agent'])
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['@vscode/ripgrep'])
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
  })
})

describe('an installed package', () => {
  it('loads each of its entries in plain Node', async () => {
    const names = entriesOf(manifest).flatMap(({ subpath }) => (subpath === undefined ? [] : [`lena-agent${subpath.slice(1)}`]))
    await writeFile(
      join(folder, 'load.js'),
      `const loaded = {}\nfor (const name of ${JSON.stringify(names)}) loaded[name] = Object.keys(await import(name)).length > 0\nconsole.log(JSON.stringify(loaded))`,
    )
    expect(JSON.parse(await run('node', 'load.js'))).toEqual(Object.fromEntries(names.map((name) => [name, true])))
  })

  it('has a program that says its version', async () => {
    expect(await run(join(folder, 'node_modules/.bin/lena'), '--version')).toContain(manifest.version)
  })
})

describe('a strict TypeScript project that uses it', () => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2023',
  }
  const tsc = resolve('node_modules/typescript/bin/tsc')

  beforeAll(async () => {
    // What the user would install beside it.
    for (const name of ['zod', '@types']) await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
    // Their types are those of their optional peers, which this project has not installed.
    const needPeers = ['./bedrock', './mcp', './telemetry']
    const all = entriesOf(manifest).flatMap(({ subpath }, index) =>
      subpath === undefined || needPeers.includes(subpath) ? [] : [`export * as entry${index} from 'lena-agent${subpath.slice(1)}'`],
    )
    await writeFile(join(folder, 'all.ts'), all.join('\n'))
    await writeFile(
      join(folder, 'weather.ts'),
      `import { Agent, tool } from 'lena-agent'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city.',
  inputSchema: z.object({ city: z.string(), unit: z.enum(['celsius', 'kelvin']).default('celsius') }),
  isReadOnly: true,
  execute: async ({ city, unit }) => \`\${city}: 22 \${unit}\`,
})
export const said: string = await weather({ city: 'Tokyo', unit: 'kelvin' })
// @ts-expect-error a city is a text
await weather({ city: 1, unit: 'kelvin' })
export const agent = new Agent({ model: 'offline', tools: [weather] })
export const answer: string = String(await agent.invoke('Is it warm?'))
// @ts-expect-error there is no such option
export const wrong = new Agent({ model: 'offline', tool: [weather] })
`,
    )
  })

  it('compiles on Node', async () => {
    const compilerOptions = { ...strict, module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2023'], types: ['node'] }
    await writeFile(join(folder, 'tsconfig.node.json'), JSON.stringify({ compilerOptions, files: ['all.ts', 'weather.ts'] }))
    expect(await run('node', tsc, '-p', 'tsconfig.node.json')).toBe('')
  })

  it('compiles for a bundler and a browser, without the types of Node', async () => {
    // `Symbol.asyncDispose` is the one thing that ES2023 does not have.
    const lib = ['ES2023', 'ESNext.Disposable', 'DOM']
    const compilerOptions = { ...strict, module: 'ESNext', moduleResolution: 'Bundler', lib, types: [] }
    await writeFile(join(folder, 'tsconfig.browser.json'), JSON.stringify({ compilerOptions, files: ['weather.ts'] }))
    expect(await run('node', tsc, '-p', 'tsconfig.browser.json')).toBe('')
  })
})
