import { describe, expect, test } from 'vitest'
import type { FileStats, FileSystem, OpenedFile } from '../../src/host/file-system.ts'
import { judging } from '../../src/host/judging.ts'
import { localFiles } from '../../src/host/local-files.ts'

/** A machine that answers later. Each of its files says to be so long, and gives so much with each read. */
function farAway(content: string, { says = content.length, atATime = 1 }: { readonly says?: number; readonly atATime?: number } = {}) {
  let open = 0
  const bytes = Buffer.from(content)
  const file: OpenedFile = {
    stat: async () => ({ size: BigInt(says) }) as FileStats,
    read: async (into, position) => bytes.copy(into, 0, position, position + Math.min(atATime, into.length)),
    close: async () => void open--,
  }
  const files: FileSystem = {
    ...localFiles,
    atOnce: undefined,
    open: async () => {
      open++
      return file
    },
  }
  return { files, open: () => open }
}

const contentIn = async (files: FileSystem): Promise<string> =>
  await judging(files, (look) => Buffer.from(look.read('/a')).toString('utf8'))

describe('a file that a judgement reads, of a machine that answers later', () => {
  test('is whole, however little comes at a time, and closed then', async () => {
    const { files, open } = farAway('some text')
    expect([await contentIn(files), open()]).toEqual(['some text', 0])
  })

  test('is what is there when it has become shorter', async () => {
    const { files, open } = farAway('some', { says: 100, atATime: 3 })
    expect([await contentIn(files), open()]).toEqual(['some', 0])
  })

  test('is closed, too, when it cannot be read', async () => {
    const { files, open } = farAway('some')
    const broken: FileSystem = {
      ...files,
      open: async (path) => ({ ...(await files.open(path)), read: () => Promise.reject(new Error('broken')) }),
    }
    await expect(contentIn(broken)).rejects.toThrow('broken')
    expect(open()).toBe(0)
  })
})

test('of a folder a judgement sees 50,000 entries, and does not ask for more', async () => {
  let given = 0
  let isEnded = false
  async function* list() {
    try {
      for (;;) yield { name: String(given++), kind: 'file' as const }
    } finally {
      isEnded = true
    }
  }
  const found = await judging({ ...localFiles, atOnce: undefined, list }, (look) => look.list('/'))
  expect([found.length, found[0], found.at(-1), isEnded]).toEqual([
    50_000,
    { name: '0', kind: 'file' },
    { name: '49999', kind: 'file' },
    true,
  ])
})
