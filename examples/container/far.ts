// Starts programs behind a command, and runs small scripts there.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'

export type Prefix = {
  /** Starts a program over there and passes bytes on, such as `['docker', 'exec', '-i', 'box']`. `['env']` is this machine. */
  readonly command: readonly string[]
  /** It joins what comes behind it by spaces, and a shell over there reads that. `ssh` does. Default false. */
  readonly joins?: boolean | undefined
}

/** Each costs a process here and one there, and `sshd` takes ten in one connection. */
const maxAtOnce = 8
/** For one operation on a file. */
const limitMs = 60_000
const maxAnswerBytes = 64 * 1024 * 1024

export function start({ command, joins = false }: Prefix, words: readonly string[]): ChildProcessWithoutNullStreams {
  const [program = '', ...args] = [...command, ...(joins ? [words.map(quoted).join(' ')] : words)]
  const child = spawn(program, args, { stdio: 'pipe' })
  // Whoever reads nothing more closes its input early. What becomes of that shows at the end.
  child.stdin.on('error', () => {})
  return child
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** An operation that failed over there, as `node:fs` would say it. */
export class FarError extends Error {
  readonly code: string
  constructor(code: string, what: string, said = '') {
    super(`${code}: ${what}${said && `: ${said}`}`)
    this.code = code
  }
}

export type Script = {
  /** What it is, for messages. */
  readonly what: string
  readonly script: string
  /** Passed as arguments: nothing of them is ever read as a script. */
  readonly args: readonly string[]
  readonly shell?: 'sh' | 'bash' | undefined
  readonly input?: Uint8Array | undefined
  readonly limitMs?: number | undefined
}
/** Runs a script and gives what it prints. One that prints the name of an error to its second stream and fails, fails with that `code`. */
export type RunScript = (script: Script) => Promise<Buffer>

export function scriptsBehind(prefix: Prefix): RunScript {
  const inTurn = atMost(maxAtOnce)
  return (script) => inTurn(() => answerOf(prefix, script))
}

async function answerOf(prefix: Prefix, { what, script, args, input, shell = 'sh', limitMs: limit = limitMs }: Script): Promise<Buffer> {
  const child = start(prefix, [shell, '-c', script, shell, ...args])
  let timer
  try {
    return await new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      let length = 0
      let said = ''
      const giveUp = (code: string, why: string): void => {
        reject(new FarError(code, what, why))
        child.kill('SIGKILL')
      }
      timer = setTimeout(() => giveUp('ETIMEDOUT', `no answer within ${limit} ms`), limit)
      child.stdout.on('data', (part: Buffer) => {
        length += part.length
        if (length > maxAnswerBytes) giveUp('EFBIG', `the answer has more than ${maxAnswerBytes} bytes`)
        else parts.push(part)
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4096)))
      // Not the code of this error: ENOENT would say that the file is not there, and it is the program.
      child.on('error', (error) => giveUp('EIO', error.message))
      child.on('close', (exitCode) => {
        if (exitCode === 0) return resolve(Buffer.concat(parts))
        const code = /^(E[A-Z0-9]+)$/m.exec(said)?.[1]
        reject(new FarError(code ?? 'EIO', what, said.replace(code ?? '', '').trim() || (code ? '' : `it ended with ${exitCode}`)))
      })
      child.stdin.end(input)
    })
  } finally {
    clearTimeout(timer)
  }
}

function atMost(places: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async (run) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
