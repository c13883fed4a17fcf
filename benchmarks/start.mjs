// How long the terminal agent takes to its version, its help and its first screen, beside an empty Node process, and what is installed.
//
//   npm run build && node benchmarks/start.mjs [--runs=15] [--program=dist/cli/main.js] [--peers=FOLDER]
//
// All are started in turn, once a round, so that whatever else the machine does meets them alike; the medians of the rounds are told, and
// their ratios to the empty process. FOLDER has a folder for each terminal agent that is to be compared, each with a package.json that
// depends on it alone, installed. Nothing is asked of any model.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const given = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const runs = Number(given('runs') ?? 15)
const program = resolve(root, given('program') ?? 'dist/cli/main.js')
if (!existsSync(program)) throw new Error(`There is no ${program}. Run \`npm run build\` first, or name another with --program.`)

const home = mkdtempSync(join(tmpdir(), 'lena-start-'))
const empty = join(home, 'empty.mjs')
writeFileSync(empty, '')
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TERM: 'xterm-256color',
  NO_COLOR: '1',
  LENA_CONFIG_DIR: join(home, 'config'),
  LENA_STATE_DIR: join(home, 'state'),
  LENA_MODEL: 'offline',
}

/** Milliseconds until it has ended, or has shown this. */
function timed(command, args, until) {
  return new Promise((done, fail) => {
    const begun = performance.now()
    const child = spawn(command, args, { cwd: home, env, stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(new Error(`${command} ${args.join(' ')} took more than 60 s.`))
    }, 60_000)
    let shown = ''
    let took
    child.stdout.on('data', (piece) => {
      shown += piece
      if (until === undefined || took !== undefined || !shown.includes(until)) return
      took = performance.now() - begun
      child.kill('SIGTERM')
    })
    child.on('error', fail)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (until !== undefined && took === undefined) return fail(new Error(`${command} ${args.join(' ')} never showed ${until}: ${shown}`))
      if (until === undefined && code !== 0) return fail(new Error(`${command} ${args.join(' ')} ended with ${code}.`))
      done(took ?? performance.now() - begun)
    })
  })
}

/** In a terminal: the first screen is one. */
const inTerminal = (words) => ['script', ['-qec', words.map((word) => `'${word}'`).join(' '), '/dev/null']]

const { execPath: node } = process
const measured = [
  { name: 'empty process', run: () => timed(node, [empty]) },
  { name: 'lena --version', run: () => timed(node, [program, '--version']), base: 'empty process' },
  { name: 'lena --help', run: () => timed(node, [program, '--help']), base: 'empty process' },
  { name: 'empty process in a terminal', run: () => timed(...inTerminal([node, empty])) },
  { name: 'lena, first prompt', run: () => timed(...inTerminal([node, program]), '> '), base: 'empty process in a terminal' },
]

const peers = []
const folder = given('peers')
for (const name of folder === undefined ? [] : readdirSync(folder)) {
  const at = join(folder, name)
  if (!existsSync(join(at, 'package.json')) || !existsSync(join(at, 'node_modules'))) continue
  const [wanted] = Object.keys(JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).dependencies ?? {})
  const { version, bin } = JSON.parse(readFileSync(join(at, 'node_modules', wanted, 'package.json'), 'utf8'))
  const bins = typeof bin === 'string' ? [wanted.split('/').at(-1)] : Object.keys(bin ?? {})
  peers.push({ name: `${wanted} ${version}`, folder: at, bin: join(at, 'node_modules/.bin', bins[0]) })
}
for (const { name, bin } of peers) measured.push({ name: `${name} --version`, run: () => timed(bin, ['--version']), base: 'empty process' })

/** Bytes of all files below a folder, links not followed. */
function sizeOf(path) {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const times = new Map(measured.map(({ name }) => [name, []]))
const failed = new Map()
try {
  for (let round = 0; round <= runs; round++) {
    for (const { name, run } of measured) {
      if (failed.has(name)) continue
      try {
        const ms = await run()
        // The first round only warms the disk up.
        if (round > 0) times.get(name).push(ms)
      } catch (error) {
        failed.set(name, error.message.slice(0, 200))
      }
    }
  }
  console.log(`Node ${process.versions.node}, ${runs} rounds, medians.\n\n| | ms | × empty |\n|---|---|---|`)
  for (const { name, base } of measured) {
    if (failed.has(name)) console.log(`| ${name} | failed: ${failed.get(name)} | |`)
    else {
      const ms = median(times.get(name))
      const ratios = base === undefined ? undefined : times.get(name).map((each, round) => each / times.get(base)[round])
      console.log(`| ${name} | ${ms.toFixed(0)} | ${ratios === undefined ? '' : median(ratios).toFixed(2)} |`)
    }
  }
  if (peers.length > 0) console.log('\n| installed | MB |\n|---|---|')
  for (const { name, folder: at } of peers) console.log(`| ${name} | ${(sizeOf(join(at, 'node_modules')) / 1e6).toFixed(1)} |`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
