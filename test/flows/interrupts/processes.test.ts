import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programOf } from '../../support/program.ts'

type Said = {
  readonly stopReason: string
  readonly ids: readonly string[]
  readonly state: unknown
  readonly sketch: readonly string[]
  readonly calls: number
}

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-ask-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (what: string, file: string): Promise<string> =>
  (await promisify(execFile)('node', [await programOf('test/flows/interrupts/support/one-process.ts'), what, file], { timeout: 60_000 }))
    .stdout

describe('a process asks, and others go on with what it saved', () => {
  it('no model call is paid twice, nothing that has ended runs again, and keys are the same', { timeout: 200_000 }, async () => {
    const file = join(folder, 'state.json')
    await run('ask', file)
    // The second write stands behind the first, and asks when it begins.
    const second = JSON.parse(await run('answer', file)) as Said
    const third = JSON.parse(await run('answer', file)) as Said
    expect([second.stopReason, second.calls, third.stopReason, third.calls]).toEqual(['interrupt', 0, 'end_turn', 1])
    const id = (said: Said, at: number): string => new RegExp(`(call_\\w+) \\{"at":${at}\\}`).exec(said.sketch[1]!)![1]!
    const [one, two, three] = [1, 2, 3].map((at) => id(third, at))
    expect([second.ids, third.ids]).toEqual([[`${two}/colour`], [`${three}/colour`]])
    expect(third.state).toEqual({ begun: 'ask' })
    expect(third.sketch.slice(2)).toEqual([
      `user: ${one} success "seen 1" ${two} success "written 2 in red colour" ${three} success "written 3 in red colour"`,
      'assistant: "Done."',
    ])
    const lines = (await readFile(`${file}.log`, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
    expect(lines.map(([what, at]) => `${what} ${at}`)).toEqual(['look 1', 'write 2', 'write 2', 'done 2', 'write 3', 'write 3', 'done 3'])
    expect(new Set(lines.map(([, at, key]) => `${at} ${key!.split(':')[0]}`)).size).toBe(3)
    expect(new Set(lines.map(([, , key]) => key)).size).toBe(3)
  })
})
