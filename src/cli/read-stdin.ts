import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/** How long the first byte is waited for when there is a task already: stdin may be open with nobody at the other end. */
const patienceMs = 3000
const maxBytes = 10 * 1024 * 1024

export type ReadStdinOptions = {
  /** Wait for the first byte however long it takes. */
  readonly wait: boolean
  /** Ends the reading; what came is not used then. */
  readonly signal: AbortSignal
  /** Called when nothing came and it goes on without. */
  readonly onSilence: () => void
}

/**
 * What comes on stdin, as text without the white space at its end; empty for a terminal.
 *
 * @throws {UsageError} for more than 10 MB, and for what is no UTF-8 text.
 */
export async function readStdin(
  { stdin, clock }: Pick<Io, 'stdin' | 'clock'>,
  { wait, signal, onSilence }: ReadStdinOptions,
): Promise<string> {
  if (stdin.isTTY || signal.aborted) return ''
  const chunks: Buffer[] = []
  let size = 0
  const first = new AbortController()
  const off: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const listen = (name: string, listener: (value: unknown) => void): void => {
        stdin.on(name, listener)
        off.push(() => stdin.off(name, listener))
      }
      listen('data', (chunk) => {
        first.abort()
        const bytes = Buffer.from(chunk as Uint8Array | string)
        chunks.push(bytes)
        if ((size += bytes.length) > maxBytes)
          reject(
            new UsageError(
              `What came on stdin is larger than ${maxBytes / 1024 / 1024} MB. Put it in a file and name the file in the task.`,
            ),
          )
      })
      listen('end', () => resolve())
      listen('close', () => resolve())
      listen('error', (error) =>
        reject(
          new UsageError(
            `stdin cannot be read: ${error instanceof Error ? error.message : String(error)}. Give text, or < /dev/null for nothing.`,
          ),
        ),
      )
      const stop = (): void => resolve()
      signal.addEventListener('abort', stop, { once: true })
      off.push(() => signal.removeEventListener('abort', stop))
      if (wait) return
      void clock.sleep(patienceMs, first.signal).then(() => {
        if (first.signal.aborted) return
        onSilence()
        resolve()
      })
    })
  } finally {
    first.abort()
    for (const remove of off) remove()
    stdin.pause()
  }
  return signal.aborted ? '' : textOf(Buffer.concat(chunks))
}

function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text.trimEnd()
  } catch {
    // Told below.
  }
  throw new UsageError(
    'What came on stdin is no UTF-8 text. Put it in a file and name the file in the task, or convert it (iconv -t UTF-8).',
  )
}
