import { describe, expect, test } from 'vitest'
import type { Said } from './judge.ts'
import { judgeIn } from './judge.ts'

type Rows = readonly (readonly [command: string, said: Said])[]

export const rows = (said: Said, ...commands: readonly string[]): Rows => commands.map((command) => [command, said])

/** Tables of commands and of what is said to each, in one place. */
export const judgedIn =
  (workspace: string) =>
  (name: string, options: Parameters<typeof judgeIn>[1], ...all: readonly Rows[]): void => {
    describe(name, () => {
      const judge = judgeIn(workspace, options)
      test.each(all.flat())('%j: %s', async (command, said) => {
        expect(await judge('shell', { command })).toBe(said)
      })
    })
  }
