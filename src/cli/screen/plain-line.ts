import { createInterface } from 'node:readline'
import type { InputStream, OutputStream } from '../io.ts'
import type { LineRead } from '../line-reader.ts'

/** Reads a line where the terminal can only print: no editing beyond what the terminal does itself. */
export function readPlainLine(input: InputStream, output: OutputStream, prompt: string, signal: AbortSignal): Promise<LineRead> {
  return new Promise((resolve) => {
    output.write(prompt)
    const readline = createInterface({ input, terminal: false })
    let read: LineRead | undefined
    const onAbort = (): void => {
      read ??= { kind: 'aborted' }
      readline.close()
    }
    readline.once('line', (text) => {
      read ??= { kind: 'line', text }
      readline.close()
    })
    readline.once('close', () => {
      signal.removeEventListener('abort', onAbort)
      if (read?.kind !== 'line') output.write('\n')
      resolve(read ?? { kind: 'end' })
    })
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
