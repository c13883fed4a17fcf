import type { Readable } from 'node:stream'

export type Records = {
  /** What came under a name so far. */
  readonly known: ReadonlyMap<string, string>
  /** What comes under a name, or `undefined` when the stream ends without it. */
  wait(name: string): Promise<string | undefined>
  /** What others have said there, and where: before the record of that name. */
  saidBefore(name: string): string
}

/**
 * Reads what a script tells: a word of ours, a name, a value, a NUL. Others write to the same stream (a shell that reports, a program
 * that passes on and warns): what stands before a word of ours is theirs.
 */
export function readRecords(stream: Readable, word: string): Records {
  const known = new Map<string, string>()
  const said = new Map<string, string>()
  const waiting = new Map<string, (value: string | undefined) => void>()
  let rest = ''
  let isOver = false
  const take = (text: string): void => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const at = part.lastIndexOf(word)
      if (at < 0) continue
      const [, name = '', value = ''] = /^ (\S+) ?([^]*)$/.exec(part.slice(at + word.length)) ?? []
      known.set(name, value)
      said.set(name, part.slice(0, at).trim())
      waiting.get(name)?.(value)
    }
    // Noise without end is not kept.
    rest = rest.slice(-1024 * 1024)
  }
  stream.setEncoding('utf8').on('data', take)
  stream.once('close', () => {
    isOver = true
    for (const done of waiting.values()) done(undefined)
  })
  return {
    known,
    wait: (name) => (known.has(name) || isOver ? Promise.resolve(known.get(name)) : new Promise((resolve) => waiting.set(name, resolve))),
    saidBefore: (name) => said.get(name) ?? rest.trim(),
  }
}
