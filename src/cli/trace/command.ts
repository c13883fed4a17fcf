import { stat } from 'node:fs/promises'
import { readTraceFile } from '../../telemetry/index.ts'
import type { TracedRuns } from '../../telemetry/index.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-code.ts'
import { notesTo } from '../notes.ts'
import { safeJson } from '../sanitise.ts'
import { styleFor } from '../style.ts'
import { UsageError } from '../usage-error.ts'
import { traceText } from './trace-text.ts'
import { traceMeant } from './traces-folder.ts'

/** `lena trace [FILE|last]`: what happened in the runs of a trace, as a tree with times, tokens and costs. */
export const traceCommand: Command = async ({ io, out, err, words, options, workspace }) => {
  if (words.length > 1)
    throw new UsageError(`\`lena trace\` takes one file, got ${words.length}: ${words.map((word) => JSON.stringify(word)).join(' ')}.`)
  const file = await traceMeant(io, words[0] ?? 'last', workspace)
  const read = await readTrace(file)
  if (options.output === 'json') {
    out.line(safeJson({ file, ...read }))
    return exitCodes.done
  }
  out.write(traceText(read, styleFor(io.stdout, io.env)))
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet })
  for (const note of notesOf(read)) notes.warn(note)
  return exitCodes.done
}

async function readTrace(file: string): Promise<TracedRuns> {
  try {
    // A pipe or a device may never come to an end.
    if (!(await stat(file)).isFile()) throw unusable(file, 'is no file')
    return await readTraceFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw unusable(file, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? String(error)})`)
  }
}

const unusable = (file: string, why: string): UsageError =>
  new UsageError(`\`lena trace\` needs a file that was written with --trace, but ${JSON.stringify(file)} ${why}.`)

/** What of the file is not shown, and why. */
function notesOf({ isTorn, isFull, otherVersions, damaged }: TracedRuns): readonly string[] {
  return [
    ...(isTorn ? ['The last line is not whole: its process ended while it was being written.'] : []),
    ...(isFull ? ['The trace is as long as it may be. What came then is not in it.'] : []),
    ...(otherVersions > 0 ? [`${lines(otherVersions)} of another version of the format, and left out.`] : []),
    ...(damaged > 0 ? [`${lines(damaged)} none of a trace, and left out.`] : []),
  ]
}

const lines = (count: number): string => (count === 1 ? '1 line is' : `${count} lines are`)
