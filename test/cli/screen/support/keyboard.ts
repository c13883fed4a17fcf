import { PassThrough, Writable } from 'node:stream'
import type { InputStream, OutputStream } from '../../../../src/cli/io.ts'
import type { LineRead, LineReaderOptions, ReadLineOptions } from '../../../../src/cli/line-reader.ts'
import { LineReader } from '../../../../src/cli/line-reader.ts'
import { VirtualTerminal } from '../../../support/virtual-terminal.ts'

/** A keyboard and a screen for a line reader. */
export type Desk = {
  readonly reader: LineReader
  readonly terminal: VirtualTerminal
  /** The terminal is raw. */
  isRaw(): boolean
  /** Types, and lets what follows from it happen. */
  type(...keys: readonly string[]): Promise<void>
  read(options?: Partial<ReadLineOptions>): Promise<LineRead>
  resize(columns: number, rows?: number): void
  endInput(): void
}

export function desk(options: LineReaderOptions & { readonly columns?: number; readonly rows?: number } = {}): Desk {
  const { columns = 40, rows = 10, ...rest } = options
  const terminal = new VirtualTerminal(columns, rows)
  let isRaw = false
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => (isRaw = raw) })
  const output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        terminal.write(String(chunk))
        done()
      },
    }),
    { isTTY: true, columns, rows },
  )
  const reader = new LineReader(input as InputStream, output as OutputStream, { env: { NO_COLOR: '1' }, ...rest })
  return {
    reader,
    terminal,
    isRaw: () => isRaw,
    async type(...keys) {
      for (const key of keys) {
        input.write(key)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    read: (given = {}) => reader.read({ prompt: '> ', signal: new AbortController().signal, ...given }),
    resize(columns, rows = 10) {
      Object.assign(output, { columns, rows })
      terminal.resize(columns, rows)
      output.emit('resize')
    },
    endInput: () => void input.end(),
  }
}

export const keys = {
  enter: '\r',
  tab: '\t',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  backspace: '\u007f',
  shiftEnter: '\u001b[13;2u',
  altEnter: '\u001b\r',
  shiftTab: '\u001b[Z',
  ctrl: (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 0x60),
  alt: (letter: string): string => `\u001b${letter}`,
  paste: (text: string): string => `\u001b[200~${text}\u001b[201~`,
} as const
