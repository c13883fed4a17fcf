import { onAbort, reasonOf } from '../../util/abort.ts'

export type RipgrepRequest = {
  readonly program: string
  /** What to do; what holds for every run is added. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly isInRepository: boolean
  /** What ends a record of the output. */
  readonly separator: '\n' | '\0'
  readonly signal: AbortSignal
}

/** A record that is longer is given in part. */
export const maxRecordBytes = 8 * 1024 * 1024
const maxErrorChars = 4000

/** Whatever the user has configured for himself, the same call has the same result. */
const always = [
  '--no-config',
  '--color=never',
  '--no-messages',
  '--hidden',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--sort=path',
  ...['.git', '.hg', '.svn', '.jj'].map((name) => `--glob=!${name}`),
]

/**
 * Runs ripgrep and gives its output record by record, as it comes. Whoever leaves early ends the program.
 *
 * @throws {Error} what it says of the pattern; the reason of the signal.
 */
export async function* runRipgrep(request: RipgrepRequest): AsyncGenerator<Buffer> {
  const { program, args, cwd, isInRepository, separator, signal } = request
  signal.throwIfAborted()
  const { spawn } = await import('node:child_process')
  const child = spawn(program, [...always, ...(isInRepository ? [] : ['--no-require-git']), ...args], {
    cwd,
    // Nothing of ours: neither settings nor keys.
    env: { SystemRoot: process.env['SystemRoot'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, maxErrorChars)))
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? undefined))
  })
  // A failure is waited for below; until then it must not count as unhandled.
  ended.catch(() => {})
  const off = onAbort(signal, () => child.kill('SIGKILL'))
  try {
    yield* recordsOf(child.stdout, separator)
    const code = await ended
    if (signal.aborted) throw reasonOf(signal)
    // 0 and 1 say whether something was found; 2 with nothing said is a file that could not be read.
    if (code !== 0 && code !== 1 && said.trim() !== '') throw new Error(said.trim())
  } finally {
    off()
    child.kill('SIGKILL')
    await ended.catch(() => {})
  }
}

async function* recordsOf(output: AsyncIterable<Buffer>, separator: '\n' | '\0'): AsyncGenerator<Buffer> {
  const end = separator.charCodeAt(0)
  let parts: Buffer[] = []
  let length = 0
  const keep = (part: Buffer): void => {
    if (length < maxRecordBytes) parts.push(part.subarray(0, maxRecordBytes - length))
    length += part.length
  }
  for await (const chunk of output) {
    let from = 0
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, from)) {
      keep(chunk.subarray(from, at))
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      length = 0
      from = at + 1
    }
    if (from < chunk.length) keep(chunk.subarray(from))
  }
  if (length > 0) yield Buffer.concat(parts)
}
