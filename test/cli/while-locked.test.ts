import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../src/cli/usage-error.ts'
import { whileLocked } from '../../src/cli/while-locked.ts'

async function newFile(): Promise<{ readonly folder: string; readonly path: string; readonly lock: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lena-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'sub', 'file.json')
  return { folder, path, lock: `${path}.lock` }
}

/** The id of a process that is over. */
const deadPid = (): number => Number(spawnSync(process.execPath, ['-p', 'process.pid']).stdout.toString())
const write = async (lock: string, content: unknown): Promise<void> => {
  // The folder is made by the first who locks.
  await whileLocked(lock.replace(/\.lock$/, ''), async () => {})
  await writeFile(lock, typeof content === 'string' ? content : JSON.stringify(content))
}

describe('a file that is locked', { timeout: 60_000 }, () => {
  it('is read, changed and put back by one after the other, and no lock is left', async () => {
    const { path } = await newFile()
    let inside = 0
    const most: number[] = []
    const add = (word: string): Promise<void> =>
      whileLocked(path, async () => {
        most.push(++inside)
        const words = JSON.parse(await readFile(path, 'utf8').catch(() => '[]')) as string[]
        await writeFile(path, JSON.stringify([...words, word]))
        inside--
      })
    const words = Array.from({ length: 20 }, (_, i) => `w${i}`)
    await Promise.all(words.map(add))
    expect(Math.max(...most)).toBe(1)
    expect((JSON.parse(await readFile(path, 'utf8')) as string[]).toSorted()).toEqual(words.toSorted())
    expect(await readdir(join(path, '..'))).toEqual(['file.json'])
  })

  it('is let go of when the work fails', async () => {
    const { path } = await newFile()
    await expect(whileLocked(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await whileLocked(path, async () => 'next')).toBe('next')
  })

  it('waits for nobody who is not alive any more', async () => {
    const { path, lock } = await newFile()
    await write(lock, { pid: deadPid(), host: hostname(), token: 'x' })
    expect(await whileLocked(path, async () => 'done')).toBe('done')
    expect(await readdir(join(path, '..'))).toEqual([])
  })

  it.each([{ pid: process.pid, host: hostname() }, { pid: 1, host: 'elsewhere' }, 'no JSON', ''])(
    'waits for nobody who holds it for longer than a change can take (%j)',
    async (content) => {
      const { path, lock } = await newFile()
      await write(lock, content)
      const longAgo = new Date(Date.now() - 120_000)
      await utimes(lock, longAgo, longAgo)
      expect(await whileLocked(path, async () => 'done')).toBe('done')
    },
  )

  it.each([
    [{ pid: process.pid, host: hostname() }, String(process.pid)],
    [{ pid: 7, host: 'elsewhere' }, '7 on elsewhere'],
    ['', 'it does not say which'],
  ])('is not taken from whoever holds it, and it is said who that is (%j)', async (content, who) => {
    const { path, lock } = await newFile()
    await write(lock, content)
    const before = await readFile(lock, 'utf8')
    await expect(whileLocked(path, expect.unreachable, 50)).rejects.toThrow(
      new UsageError(
        `${path} is being changed by another process (${who}), and was not changed. Try again; if there is none, remove ${lock}.`,
      ),
    )
    expect([await readFile(lock, 'utf8'), await readdir(join(path, '..'))]).toEqual([before, ['file.json.lock']])
  })
})
