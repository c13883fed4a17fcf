// Runs the peer benchmark with Lena among the peers.
//
//   npm run build && node benchmarks/run.mjs --peers=baseline,limit,lena --works=w0,w1,w2,w3,w7
//
// The harness lies outside this project (BENCH_PEERS names its folder, default ../shared/bench/peers). It is copied to a
// temporary folder with our adapter and the built package, so that neither is changed by a run. Peers from npm are installed
// there with --install. The tables are written to benchmarks/results/.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const harness = resolve(root, process.env.BENCH_PEERS ?? '../shared/bench/peers')
if (!existsSync(harness)) throw new Error(`There is no benchmark harness at ${harness}. Set BENCH_PEERS to its folder.`)
if (!existsSync(join(root, 'dist/index.js'))) throw new Error('The package is not built. Run `npm run build` first.')

const args = process.argv.slice(2)
const install = args.includes('--install')
const folder = mkdtempSync(join(tmpdir(), 'lena-bench-'))
try {
  cpSync(harness, folder, { recursive: true, filter: (from) => !from.includes('node_modules') })
  if (install) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  cpSync(join(root, 'benchmarks/adapters'), join(folder, 'adapters'), { recursive: true })
  mkdirSync(join(folder, 'node_modules/lena-agent'), { recursive: true })
  for (const part of ['package.json', 'dist']) cpSync(join(root, part), join(folder, 'node_modules/lena-agent', part), { recursive: true })
  // For `lena-telemetry`: it is there, and nobody imports it but that adapter.
  const api = 'node_modules/@opentelemetry/api'
  if (existsSync(join(root, api)) && !existsSync(join(folder, api))) cpSync(join(root, api), join(folder, api), { recursive: true })
  const bench = spawnSync(process.execPath, ['bench.mjs', ...args.filter((arg) => arg !== '--install')], { cwd: folder, stdio: 'inherit' })
  const results = join(folder, 'results')
  if (existsSync(results)) {
    mkdirSync(join(root, 'benchmarks/results'), { recursive: true })
    for (const file of readdirSync(results)) cpSync(join(results, file), join(root, 'benchmarks/results', file))
  }
  process.exitCode = bench.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
