import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { Session } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { openSession } from '../../src/sessions/open-session.ts'
import { buildWriter } from './support/processes.ts'

const { signal } = new AbortController()

// A limit of the shell stands for the disk: a file may have 16 blocks of 512 bytes (1,024 in some shells), and the write that meets the end is a short one.
it.skipIf(process.platform === 'win32')(
  'a full disk loses nothing that was acknowledged, each writing that failed is told, and the next process goes on',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lena-full-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const program = await buildWriter(folder, 'until-full')
    const dir = join(folder, 'sessions')
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', 'ulimit -f 16; exec "$@"', 'sh', process.execPath, program, `file:${dir}`, 'a'],
      {
        timeout: 60_000,
      },
    )
    const said = stdout.split('\n').slice(0, -1)
    const acknowledged = said.filter((line) => !line.startsWith('failed'))
    expect(acknowledged.length).toBeGreaterThan(5)
    expect(said.slice(acknowledged.length)).toEqual(Array.from({ length: 3 }, () => 'failed: session_failed'))
    expect([8192, 16384]).toContain((await stat(join(dir, 'a.jsonl'))).size)

    const session = new Session({ id: 'a', store: fileSessions({ dir }) })
    const torn = await session.restore()
    expect(torn.messages.map(({ id }) => id)).toEqual(acknowledged)
    expect(torn.warnings).toEqual([expect.stringContaining('the last line has no end')])
    const open = await openSession(session, { signal })
    await open.append([{ type: 'message', message: { id: 'next', role: 'user', content: [{ type: 'text', text: 'next' }] } }])
    const { messages, warnings } = await session.restore()
    expect(messages.map(({ id }) => id)).toEqual([...acknowledged, 'next'])
    expect(warnings.length).toBe(1)
  },
)

it.skipIf(process.platform === 'win32')(
  'a folder that may not be written to can be read, and each writing is told to have failed',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lena-read-only-'))
    const dir = join(folder, 'sessions')
    onTestFinished(async () => {
      await chmod(dir, 0o700)
      await rm(folder, { recursive: true, force: true })
    })
    const program = await buildWriter(folder, 'until-full')
    const session = new Session({ id: 'a', store: fileSessions({ dir }) })
    const open = await openSession(session, { signal })
    await open.append([{ type: 'message', message: { id: 'first', role: 'user', content: [{ type: 'text', text: 'first' }] } }])
    for (const [path, mode] of [
      [folder, 0o755],
      [dir, 0o555],
      [join(dir, 'a.jsonl'), 0o444],
    ] as const)
      await chmod(path, mode)
    // Root may write anywhere, so it is somebody else then.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    for (const id of ['a', 'new']) {
      const { stdout } = await promisify(execFile)(process.execPath, [program, `file:${dir}`, id], {
        timeout: 60_000,
        cwd: folder,
        ...nobody,
      })
      expect(stdout).toBe('failed: session_failed\n'.repeat(3))
    }
    expect([await readdir(dir), (await session.restore()).messages.map(({ id }) => id)]).toEqual([['a.jsonl'], ['first']])
  },
)

it.skipIf(process.platform === 'win32')('a session that may not be read keeps no other from the list', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lena-closed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = await buildWriter(folder, 'list')
  const dir = join(folder, 'sessions')
  const store = fileSessions({ dir })
  const ids = Array.from({ length: 70 }, (_, at) => `s${at}`)
  for (const id of ids) {
    const open = await openSession(new Session({ id, store }), { signal })
    await open.append([{ type: 'state', state: {} }])
  }
  const all = (await store.list({ signal })).map(({ id }) => id)
  expect(all.toSorted()).toEqual(ids.toSorted())
  await chmod(join(dir, 's3.jsonl'), 0)
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (process.getuid?.() === 0) await promisify(execFile)('chown', ['-R', '65534:65534', folder])
  const { stdout } = await promisify(execFile)(process.execPath, [program, dir], { timeout: 60_000, cwd: folder, ...nobody })
  expect(stdout).toBe(`${all.filter((id) => id !== 's3').join(' ')}\n`)
})
