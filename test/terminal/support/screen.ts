import { spawn } from 'node:child_process'
import type { TestContext } from 'vitest'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'
import type { StartOptions } from './lena.ts'
import { start } from './lena.ts'

export type OnScreen = ReturnType<typeof start> & {
  readonly terminal: VirtualTerminal
  /** Resolves when a row of the screen matches. */
  readonly sees: (what: RegExp) => Promise<void>
  readonly type: (text: string) => void
  /** The terminal gets another size, and the program is told. */
  readonly resize: (columns: number, rows: number) => Promise<void>
}

/** The program in a pseudo-terminal of a size, with a screen that shows what a person would see. Colours are on. */
export function onScreen(
  test: Pick<TestContext, 'onTestFinished'>,
  argv: readonly string[],
  options: StartOptions & { readonly columns?: number; readonly rows?: number } = {},
): OnScreen {
  const { columns = 80, rows = 24, around = 'exec $LENA' } = options
  const started = start(test, argv, {
    ...options,
    terminal: true,
    env: { NO_COLOR: '', ...options.env },
    // The device is told, so that it can be given another size from outside.
    around: `stty cols ${columns} rows ${rows}; tty > .tty; ${around}`,
  })
  const terminal = new VirtualTerminal(columns, rows)
  let watchers: (() => void)[] = []
  started.child.stdout.on('data', (chunk: string) => {
    terminal.write(chunk.replaceAll('\r\n', '\n'))
    // Nobody sees a picture that is half written.
    if (!terminal.modes.has('2026')) for (const watch of watchers) watch()
  })
  return {
    ...started,
    terminal,
    sees: (what) =>
      new Promise((done, fail) => {
        const failed = (how: string): void => fail(new Error(`${how} ${what}:\n${terminal.text.join('\n')}`))
        const timer = setTimeout(failed, 50_000, 'It does not show')
        const watch = (): void => {
          if (!terminal.text.some((row) => what.test(row))) return
          clearTimeout(timer)
          watchers = watchers.filter((other) => other !== watch)
          done()
        }
        watchers.push(watch)
        started.child.once('close', () => {
          clearTimeout(timer)
          failed('It ended without showing')
        })
        watch()
      }),
    type: (text) => void started.child.stdin.write(text),
    resize: (columns, rows) => {
      terminal.resize(columns, rows)
      return new Promise((done) => {
        spawn('sh', ['-c', `stty -F "$(cat .tty)" cols ${columns} rows ${rows}`], { cwd: options.cwd }).once('close', () => done())
      })
    },
  }
}
