import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const bin = findPrograms()

/** Why the tests of PostgreSQL do not run here. */
export const missing = bin === undefined ? 'skipped: PostgreSQL (initdb) is not installed, see scripts/ci-postgres.sh' : undefined

export type Cluster = {
  readonly url: string
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A database server of its own, on a free port of this machine alone, in a folder that goes with it. */
export async function startCluster(): Promise<Cluster> {
  // Not under TMPDIR: the path of a socket may be 107 bytes long.
  const folder = await mkdtemp('/tmp/lena-pg-')
  const data = join(folder, 'data')
  if (isRoot) await chown(folder, idOf('-u'), idOf('-g'))
  else await chmod(folder, 0o700)
  const port = await freePort()
  const options = `-c listen_addresses=127.0.0.1 -p ${port} -k ${folder} -c max_connections=60`
  const control = (...args: readonly string[]): Promise<unknown> =>
    asUser('pg_ctl', ['-D', data, '-w', '-t', '120', '-l', join(folder, 'log'), ...args])
  await asUser('initdb', ['-D', data, '-U', 'lena', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  await control('-o', options, 'start')
  return {
    url: `postgres://lena@127.0.0.1:${port}/postgres`,
    restart: async () => void (await control('-o', options, '-m', 'fast', 'restart')),
    stop: async () => {
      await control('-m', 'immediate', 'stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// The server refuses to run as root.
function asUser(program: string, args: readonly string[]): Promise<unknown> {
  const path = join(bin!, program)
  const options = { cwd: '/', timeout: 180_000 }
  return isRoot
    ? run('setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', path, ...args], options)
    : run(path, args, options)
}

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
