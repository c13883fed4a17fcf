import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { permissions } from '../../src/permissions/index.ts'
import { localHost, memoryUndo, toolkit, undoLast } from '../../src/toolkit/index.ts'
import type { Host } from '../../src/toolkit/index.ts'

const here = localHost()
const elsewhere: Host = { ...here, files: { ...here.files } }

test.each([
  [{}, 'toolkit({ workspace }): with `host` give the absolute path of a folder on it, such as "/srv/app"; got undefined.'],
  [{ workspace: 'app' }, 'toolkit({ workspace }): with `host` give the absolute path of a folder on it, such as "/srv/app"; got "app".'],
  [
    { workspace: '/app', sandbox: true },
    "toolkit({ sandbox }): with `host` this is the host's own: leave it out, or give it to localHost().",
  ],
  [
    { workspace: '/app', jobs: here.jobs },
    "toolkit({ jobs }): with `host` this is the host's own: leave it out, or give it to localHost().",
  ],
  [{ workspace: '/app', ripgrep: '/usr/bin/rg' }, "toolkit({ ripgrep }): with `host` this is the host's own: leave it out."],
] as const)('%j is refused with a host: what is said of this machine would be said of another', (options, message) => {
  expect(() => toolkit({ host: elsewhere, ...options } as never)).toThrow(new InputError(message))
})

describe('what may stand beside a host', () => {
  test.each([{ sandbox: false }, { ripgrep: false as const }, { env: {} }, { keepEnv: ['X'] }])('%j', (options) => {
    expect(toolkit({ host: elsewhere, workspace: '/app', ...options })).toHaveLength(11)
  })

  test('ripgrep, where its files are those of this machine', () => {
    expect(toolkit({ host: here, workspace: '/app', ripgrep: '/usr/bin/rg' })).toHaveLength(11)
  })
})

test.each([
  [{}, '`host` must be the host of the toolkit, with { files, home }, got an object.'],
  [here, 'With `host` give `workspace`, the absolute path of a folder on it, such as "/srv/app".'],
])('permissions say what a host must have', (host, message) => {
  expect(() => permissions({ host: host as Host })).toThrow(new InputError(message))
})

test('so does undo', async () => {
  await expect(undoLast(memoryUndo(), { host: {} as Host })).rejects.toThrow(
    'undoLast({ host }): expected a host, such as localHost(), with { files, home, env, run() }, got an object.',
  )
})

test('the jobs of a toolkit are those of its host; one that knows of none has none', async () => {
  const { jobs: _jobs, ...silent } = elsewhere
  expect(toolkit({ host: elsewhere, workspace: '/app' }).jobs).toBe(elsewhere.jobs)
  const { jobs } = toolkit({ host: silent, workspace: '/app' })
  expect([jobs.list(), await jobs.end()]).toEqual([[], undefined])
})
