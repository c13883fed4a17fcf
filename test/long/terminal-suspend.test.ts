import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestContext } from 'vitest'
import { hasTerminal, newFolder } from '../terminal/support/lena.ts'
import { onScreen } from '../terminal/support/screen.ts'

const ctrlC = '\u0003'
const ctrlD = '\u0004'
const ctrlZ = '\u001a'

/** In a shell with job control, which gets the terminal back when the program is stopped, and waits for a line before it lets it go on. */
function inShell(test: Pick<TestContext, 'onTestFinished'>, script: string) {
  const cwd = newFolder()
  const begin = `sh -c 'echo $$ > pid; exec "$@"' sh $LENA`
  const inner = `stty -g > before; ${begin}; stty -g > after; echo stopped; read go; fg; echo over`
  const screen = onScreen(test, [], { script, cwd, around: `bash -mic '${inner.replaceAll("'", `'\\''`)}' 2>/dev/null` })
  const signal = (name: NodeJS.Signals): void => void process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), name)
  return {
    ...screen,
    signal,
    stop: (how: 'a key' | NodeJS.Signals): void => (how === 'a key' ? screen.type(ctrlZ) : signal(how)),
    /** The modes of the terminal before, and while the program is stopped; and what the screen has. */
    stopped: () => ({
      isAsBefore: readFileSync(join(cwd, 'after'), 'utf8') === readFileSync(join(cwd, 'before'), 'utf8'),
      modes: [...screen.terminal.modes],
    }),
  }
}

describe.skipIf(!hasTerminal).concurrent('a program that is stopped', { timeout: 60_000 }, () => {
  it.for(['a key', 'SIGTSTP'] as const)(
    'at the prompt, by %s: gives the terminal back, and goes on with what was typed',
    async (how, test) => {
      const { sees, type, stop, stopped, terminal, ended } = inShell(test, 'markdown')
      await sees(/^> *$/)
      type('rep')
      await sees(/^> rep$/)
      stop(how)
      await sees(/^stopped$/)
      expect(stopped()).toEqual({ isAsBefore: true, modes: ['25'] })
      expect(terminal.text).not.toContain('> rep')
      type('go\n')
      await sees(/^> rep$/)
      type('ort\r')
      await sees(/cost not known/)
      await sees(/^>$/)
      type(ctrlD)
      await sees(/^over$/)
      await ended
      expect(terminal.text.filter((row) => row.startsWith('> rep'))).toEqual(['> report'])
    },
  )

  it.for(['a key', 'SIGTSTP'] as const)('in a stream, by %s: nothing that moves is left behind, and it comes again', async (how, test) => {
    const { sees, type, stop, stopped, terminal, ended } = inShell(test, 'hangs')
    await sees(/^> *$/)
    type('one\r')
    await sees(/So far/)
    await sees(/Writing/)
    stop(how)
    await sees(/^stopped$/)
    expect(stopped()).toEqual({ isAsBefore: true, modes: ['25'] })
    expect(terminal.text.filter((row) => /So far|Writing/.test(row))).toEqual([])
    type('go\n')
    await sees(/Writing/)
    expect(terminal.text.filter((row) => /So far/.test(row))).toHaveLength(1)
    type(ctrlC)
    await sees(/not complete: cancelled/)
    await sees(/^>$/)
    type(ctrlD)
    await sees(/^over$/)
    await ended
    expect({ rows: terminal.text.filter((row) => /So far/.test(row)).length, modes: [...terminal.modes] }).toEqual({
      rows: 1,
      modes: ['25'],
    })
  })

  it('in a way that it is not told of: takes the terminal again when it goes on', async (test) => {
    const { sees, type, signal, ended, terminal } = inShell(test, 'markdown')
    await sees(/^> *$/)
    type('rep')
    await sees(/^> rep$/)
    signal('SIGSTOP')
    await sees(/stopped$/)
    const before = terminal.text.length
    type('go\n')
    await sees(/^> rep$/)
    expect(terminal.text.length).toBeGreaterThan(before)
    // Raw again: Enter is a key, and nothing is echoed.
    type('ort\r')
    await sees(/^> report$/)
    await sees(/cost not known/)
    await sees(/^>$/)
    type(ctrlD)
    await sees(/^over$/)
    await ended
    expect([...terminal.modes]).toEqual(['25'])
  })
})
