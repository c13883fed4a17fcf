import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const examples = existsSync('examples') ? readdirSync('examples').filter((name) => name.endsWith('.ts')) : []

// A project of a user, in which `lena-agent` is the built package, found by its name. A compiler that is loaded for each of them
// would take longer than the examples.
let project: string
beforeAll(async () => {
  if (!existsSync('dist/index.js')) await run('node', ['scripts/build.mjs', '--bundle-only'])
  project = mkdtempSync(join(tmpdir(), 'lena-examples-'))
  cpSync('examples', join(project, 'examples'), { recursive: true })
  mkdirSync(join(project, 'examples', 'node_modules'))
  symlinkSync(resolve('.'), join(project, 'examples', 'node_modules', 'lena-agent'))
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  await build({
    entryPoints: examples.map((name) => `examples/${name}`),
    outdir: join(project, 'examples'),
    outExtension: { '.js': '.mjs' },
    // One that has files of its own imports them as sources.
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the examples', () => {
  if (examples.length === 0) it.skip('examples/ holds none yet', () => {})

  it.each(examples)(
    '%s runs to its end',
    async (name) => {
      const { stdout } = await run('node', [`examples/${name.replace(/ts$/, 'mjs')}`], { cwd: project, timeout: 60_000 })
      expect(stdout).not.toBe('')
    },
    90_000,
  )

  it('run through a compiler, too', async () => {
    // Without the paths of tsconfig.json, which lead to the sources.
    const env = { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.build.json' }
    const { stdout } = await run('node', ['--import', 'tsx', 'examples/worker.ts'], { timeout: 60_000, env })
    expect(stdout).toContain('17,984 primes.')
  }, 90_000)
})
