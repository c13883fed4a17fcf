import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTerminal, newFolder } from './support/lena.ts'
import { onScreen } from './support/screen.ts'

const ctrlC = '\u0003'
const ctrlD = '\u0004'

describe.skipIf(!hasTerminal)('a command that a person runs in a conversation', { timeout: 60_000 }, () => {
  it('is seen while it runs, ends with Ctrl-C, and the terminal is as it was', async (test) => {
    const cwd = newFolder()
    const { sees, type, terminal, ended } = onScreen(test, [], {
      script: 'echoes',
      cwd,
      columns: 60,
      around: 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code',
    })
    await sees(/^>$/)
    type('!echo li\\ve; exec sleep 300\r')
    await sees(/^live$/)
    await sees(/Running .*Ctrl-C ends it/)
    type(ctrlC)
    await sees(/The call was cancelled/)
    await sees(/^>$/)
    expect(terminal.text.filter((row) => /Running/.test(row))).toEqual([])
    type('!!seq 30\r')
    await sees(/^30$/)
    await sees(/^>$/)
    expect(terminal.text.filter((row) => /^[0-9]+$/.test(row))).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)))
    type('what was it?\r')
    await sees(/what was it\?$/)
    await sees(/cost not known/)
    expect(terminal.text.join(' ')).toMatch(/user: <user_command> The user ran this command themselves/)
    expect(terminal.text.filter((row) => /seq 30/.test(row))).toEqual(['> !!seq 30'])
    await sees(/^>$/)
    type(ctrlD)
    expect((await ended).code).toBe(0)
    expect(readFileSync(join(cwd, 'after'), 'utf8')).toBe(readFileSync(join(cwd, 'before'), 'utf8'))
    expect({ unknown: terminal.unknown, modes: [...terminal.modes] }).toEqual({ unknown: [], modes: ['25'] })
  })
})
