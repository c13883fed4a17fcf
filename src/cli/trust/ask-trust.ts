import type { AskOptions } from '../ask.ts'
import type { ProjectFile } from './project-file.ts'
import { visible } from './visible.ts'

/** `always`: until the file is changed. */
export type TrustAnswer = 'always' | 'once' | 'no'

export type TrustQuestion = {
  readonly file: Pick<ProjectFile, 'path'>
  /** What the file does when it is obeyed, as the end of a sentence: `starts these MCP servers`. */
  readonly does: string
  /** What it does one by one, made visible. */
  readonly lines: readonly string[]
  /** It was trusted before, with another content. */
  readonly hasChanged: boolean
  readonly signal: AbortSignal
}

/** Asks the person at the terminal whether a file of the folder may be obeyed. */
export type AskTrust = (question: TrustQuestion) => Promise<TrustAnswer>

/** More than this nobody reads in a terminal; that there is more stands in plain sight. */
const mostLines = 200

/** What Ctrl-C does is the caller's; the answer is then no. */
export function askTrustAtTerminal({ reader, to, held, style, interrupt }: AskOptions): AskTrust {
  return async ({ file, does, lines, hasChanged, signal }) => {
    for (const output of held) output.freshLine()
    to.freshLine()
    const since = hasChanged ? ` ${style.yellow('It has changed since you trusted it.')}` : ''
    to.write(`${style.yellow('?')} ${style.bold(visible(file.path))} ${does}. It came with the folder.${since}\n`)
    for (const line of lines.slice(0, mostLines)) to.write(`    ${line}\n`)
    if (lines.length > mostLines) to.write(`    ${style.yellow(`${style.ellipsis} ${lines.length - mostLines} more lines, not shown`)}\n`)
    const releases = [...new Set([to, ...held])].map((output) => output.hold())
    try {
      for (let prompt = '  Trust it? [y]es, until it changes / [o]nce / [n]o: '; ; prompt = '  Please answer y, o or n: ') {
        const line = await reader.read({ prompt, signal, answer: true })
        if (line.kind === 'interrupt') interrupt()
        if (line.kind !== 'line') return 'no'
        const word = line.text.trim().toLowerCase()
        if (word === 'y' || word === 'yes') return 'always'
        if (word === 'o' || word === 'once') return 'once'
        if (word === 'n' || word === 'no') return 'no'
      }
    } finally {
      for (const release of releases) release()
    }
  }
}
