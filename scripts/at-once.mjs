// @ts-check
/**
 * Runs scripts of package.json side by side, as many at once as there are cores, and prints what each said in the order in which
 * they were named. Fails when one of them fails, after all have ended.
 *
 *   node scripts/at-once.mjs lint types
 *
 * The longest first: then no core waits for it at the end.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

// Where npm has it run: beside package.json.
const root = process.cwd()
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(scripts, name))
if (names.length === 0 || unknown.length > 0) {
  console.error(names.length === 0 ? 'Name scripts of package.json.' : `package.json has no script ${unknown.join(', ')}.`)
  process.exit(2)
}

/** @param {string} name @returns {Promise<{ name: string, failed: string | undefined, output: string, seconds: string }>} */
function run(name) {
  const began = performance.now()
  // What npm would do, without another npm.
  const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) }
  const child = spawn(/** @type {string} */ (scripts[name]), { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve) => {
    /** @param {string | undefined} failed */
    const ended = (failed) => resolve({ name, failed, output, seconds: ((performance.now() - began) / 1000).toFixed(1) })
    child.once('error', ({ message }) => ended(message))
    child.once('close', (code, signal) => ended(code === 0 ? undefined : (signal ?? `exit code ${code}`)))
  })
}

let free = availableParallelism()
/** @type {(() => void)[]} */
const waiting = []

/** @param {string} name */
async function inTurn(name) {
  if (free > 0) free--
  else await new Promise((resolve) => waiting.push(() => resolve(undefined)))
  const ended = await run(name)
  const next = waiting.shift()
  if (next) next()
  else free++
  return ended
}

for (const ending of names.map(inTurn)) {
  const { name, failed, output, seconds } = await ending
  console.log(`${failed === undefined ? '✓' : '✗'} ${name} (${seconds} s)${failed === undefined ? '' : `: ${failed}`}`)
  if (output.trim() !== '') console.log(output.trimEnd())
  if (failed !== undefined) process.exitCode = 1
}
