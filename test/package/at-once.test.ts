import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

/** What `npm test` runs its checks with. */
function atOnce(scripts: Record<string, string>, ...names: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'lena-at-once-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }))
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/at-once.mjs'), ...names], { cwd, encoding: 'utf8' })
  return { status, stdout: stdout.replaceAll(/\(\d+\.\d s\)/g, '(…)'), stderr }
}

describe('scripts that run side by side', { timeout: 60_000 }, () => {
  it('are printed in the order in which they were named, whoever ends first', () => {
    // Where there is but one core the one that waits would wait for ever.
    const scripts = {
      slow: 'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; test -e done && break; done; echo slow',
      fast: 'touch done; echo fast >&2',
    }
    expect(atOnce(scripts, 'slow', 'fast')).toEqual({ status: 0, stdout: '✓ slow (…)\nslow\n✓ fast (…)\nfast\n', stderr: '' })
  })

  it('all come to their end, and fail together when one does', () => {
    const scripts = { bad: 'echo why; exit 3', good: 'true', killed: 'kill -9 $$' }
    expect(atOnce(scripts, 'bad', 'good', 'killed')).toEqual({
      status: 1,
      stdout: '✗ bad (…): exit code 3\nwhy\n✓ good (…)\n✗ killed (…): SIGKILL\n',
      stderr: '',
    })
  })

  it.each([
    [[], 'Name scripts of package.json.\n'],
    [['a', 'b', 'toString'], 'package.json has no script b, toString.\n'],
  ])('%j is refused', (names, stderr) => {
    expect(atOnce({ a: 'true' }, ...names)).toEqual({ status: 2, stdout: '', stderr })
  })
})
