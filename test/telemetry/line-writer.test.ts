import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LineWriter } from '../../src/telemetry/line-writer.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lena-lines-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

/** Runs `fn` so many steps of the microtask queue from now. */
const inSteps = (steps: number, fn: () => void): void => queueMicrotask(() => (steps > 0 ? inSteps(steps - 1, fn) : fn()))

it('loses no line that comes just when the writing before it ends', async () => {
  const probe = await open(join(folder, 'probe'), 'w')
  const handles = Object.getPrototypeOf(probe) as Pick<FileHandle, 'appendFile'>
  await probe.close()
  const { appendFile } = handles
  const texts: string[] = []
  try {
    for (let steps = 0; steps < 12; steps++) {
      const path = join(folder, `${steps}.jsonl`)
      const writer = new LineWriter({ path, maxBytes: 1e6, lastLine: () => 'full', onError: (error) => texts.push(String(error)) })
      let isLate = false
      handles.appendFile = async function (this: FileHandle, text) {
        await appendFile.call(this, text)
        const close = this.close
        this.close = async () => {
          await close.call(this)
          if (!isLate) inSteps(steps, () => writer.write('late'))
          isLate = true
        }
      }
      writer.write('first')
      await writer.written()
      await new Promise((resolve) => setImmediate(resolve))
      await writer.written()
      texts.push(await readFile(path, 'utf8'))
    }
  } finally {
    handles.appendFile = appendFile
  }
  expect(texts).toEqual(Array.from({ length: 12 }, () => 'first\nlate\n'))
})
