import { expect, test } from 'vitest'
import { memoryResults } from 'lena-agent'
import { shell } from '../../../src/toolkit/index.ts'
import { progressEveryMs } from '../../../src/toolkit/shell.ts'
import { manualClock } from '../support/manual-clock.ts'
import { workspaceWith } from '../support/workspace.ts'

test('of 100 MB the beginning and the end are kept, in bounded memory', { timeout: 60_000 }, async () => {
  const run = shell({ workspace: await workspaceWith() })
  const before = process.memoryUsage.rss()
  const { content } = await run({ command: 'echo first; yes 0123456789 | head -c 100000000; echo; echo last' })
  expect(process.memoryUsage.rss() - before).toBeLessThan(80_000_000)
  expect(content.length).toBeLessThanOrEqual(30_000)
  expect(content.length).toBeGreaterThan(29_900)
  const [head, left, tail] = content.split(/\n\[… (\d+) characters left out …\]\n/)
  expect(head!.startsWith('exit_code: 0\nfirst\n0123456789\n')).toBe(true)
  expect(tail!.endsWith('\nlast')).toBe(true)
  expect(head!.length - 'exit_code: 0\n'.length + Number(left) + tail!.length).toBe('first\n'.length + 100_000_000 + '\nlast'.length)
})

test('with a store the whole output is kept, and the result says where', async () => {
  const results = memoryResults()
  const run = shell({ workspace: await workspaceWith(), results })
  expect((await run({ command: 'seq 100' })).content).not.toContain('persisted-output')
  const { content } = await run({ command: 'seq 100000; exit 3' })
  expect(content.length).toBeLessThanOrEqual(30_000)
  const [, path = ''] =
    /\n99999\n100000\n\[The output is kept: <persisted-output path="([^"]+)">\. Read there what is left out here\.\]$/.exec(content) ?? []
  const page = await results.read(path, { offset: 0, limit: 1_000_000, signal: new AbortController().signal })
  expect(page.text).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(''))
})

test('a store that fails is told, and the command is not', async () => {
  const results = { ...memoryResults(), put: () => Promise.reject(new Error('full')) }
  const run = shell({ workspace: await workspaceWith(), results })
  const { status, content } = await run({ command: 'seq 100000' })
  expect(status).toBe('success')
  expect(content).toMatch(/\n100000\n\[The whole output could not be kept: full\.\]$/)
})

test('up to 30,000 characters in all nothing is left out', async () => {
  const run = shell({ workspace: await workspaceWith() })
  const room = 30_000 - 'exit_code: 0\n'.length
  expect((await run({ command: `head -c ${room} /dev/zero | tr '\\0' x` })).content).toBe(`exit_code: 0\n${'x'.repeat(room)}`)
  expect((await run({ command: `head -c ${room + 1} /dev/zero | tr '\\0' x` })).content).toMatch(/characters left out/)
})

test('a cut never goes through a character', async () => {
  const run = shell({ workspace: await workspaceWith() })
  const { content } = await run({ command: `for i in 1 2 3 4 5 6 7; do printf 'x%.0s' $(seq $i); printf '🙂%.0s' {1..3000}; done` })
  expect(content).toMatch(/characters left out/)
  expect(/\p{Surrogate}|\ufffd/u.test(content)).toBe(false)
})

test('progress: the last lines, not more often than the clock allows', async () => {
  const clock = manualClock()
  const values: unknown[] = []
  let onValue = (): void => {}
  const progress = async (value: unknown): Promise<void> => {
    values.push(value)
    onValue()
  }
  const workspace = await workspaceWith()
  const first = new Promise<void>((resolve) => (onValue = resolve))
  const result = shell({ workspace, clock })(
    { command: 'echo 1; while [ ! -e go ]; do sleep 0.01; done; seq 2 9; while [ ! -e stop ]; do sleep 0.01; done' },
    { progress },
  )
  await first
  expect(values).toEqual(['1\n'])
  const second = new Promise<void>((resolve) => (onValue = resolve))
  await shell({ workspace })({ command: 'touch go' })
  // Until its time is up nothing more is said; then all that came meanwhile at once.
  expect(values).toEqual(['1\n'])
  await clock.end(progressEveryMs)
  await second
  expect(values).toEqual(['1\n', '6\n7\n8\n9\n'])
  await shell({ workspace })({ command: 'touch stop' })
  await result
})

test('a consumer that fails does not end the command', async () => {
  const run = shell({ workspace: await workspaceWith() })
  const progress = (): Promise<void> => Promise.reject(new Error('gone'))
  expect(await run({ command: 'echo 1; echo 2' }, { progress })).toEqual({ status: 'success', content: 'exit_code: 0\n1\n2' })
})
