import type { UserBlock } from '../../index.ts'
import { errorText } from '../error-text.ts'
import { codeOfCause, exitCodes } from '../exit-code.ts'
import type { Turns } from '../elicitation/turns.ts'
import type { LineReader } from '../line-reader.ts'
import type { Notes } from '../notes.ts'
import { textRenderer } from '../render-text.ts'
import type { TaskRun } from '../run-task.ts'
import { withImages } from '../run-task.ts'
import { runTurn } from '../run-turn.ts'
import type { SeenChanges } from '../screen/seen-changes.ts'
import { runSlash, slashIn } from '../slash/index.ts'
import type { Stop } from '../stop.ts'
import type { Style } from '../style.ts'
import { ownCommandIn } from './own-command.ts'
import type { OwnCommand } from './own-command.ts'
import type { Place } from './place.ts'

/** What happens from outside while the work lasts. */
export type During = <T>(work: (stop: Stop) => Promise<T>) => Promise<{ readonly value: T; readonly stop: Stop }>

export type Sitting = {
  readonly run: Omit<TaskRun, 'stop'>
  readonly at: Place
  readonly reader: LineReader
  readonly notes: Notes
  readonly style: Style
  readonly seen: SeenChanges
  readonly turns: Turns
  readonly maxTurns: number
  readonly during: During
}

/** Does what a line says: a command of the conversation, one of the shell, or a task. Gives the exit code when all is over with it. */
export async function takeLine(line: string, sitting: Sitting): Promise<number | undefined> {
  const slash = slashIn(line)
  if (slash) {
    const ended = await attempted(sitting, ({ signal }) => runSlash(sitting.at.talk(signal), slash))
    return ended.code ?? (ended.value === 'leave' ? exitCodes.done : undefined)
  }
  const own = ownCommandIn(line)
  return own ? await runOwn(own, sitting) : await runPrompt(line, sitting)
}

/** Work that fails with a word, and goes on; that Ctrl-C cancels, and leaves when it is pressed again. */
async function attempted<T>(
  { during, notes, run: { io } }: Sitting,
  work: (stop: Stop) => Promise<T>,
): Promise<{ readonly code?: number | undefined; readonly value?: T | undefined; readonly cancelled: boolean }> {
  const { value, stop } = await during(async (stopping) => {
    const done = work(stopping).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (stopping.signal.aborted) notes.note('Cancelled.')
        else notes.error(errorText(error, io.env))
        return { result: undefined }
      },
    )
    return await Promise.race([done, stopping.leave])
  })
  const { cause } = stop
  if (!value || (cause && cause !== 'interrupt')) return { code: codeOfCause[cause ?? 'interrupt'], cancelled: true }
  return { value: value.result, cancelled: cause !== undefined }
}

async function runOwn(own: OwnCommand, sitting: Sitting): Promise<number | undefined> {
  const { run, at, reader, notes, style } = sitting
  const { io, out } = run
  if (own.command === '') {
    notes.error('There is no command. Write !COMMAND to run one that the model hears of, !!COMMAND for one that it does not.')
    return undefined
  }
  const { code, value, cancelled } = await attempted(sitting, async ({ signal }) => {
    const { runOwnCommand } = await import('./run-own-command.ts')
    return await runOwnCommand(own, { tools: at.tools, out, style, clock: io.clock, signal })
  })
  if (value !== undefined && own.isHeard) at.unheard.add(value)
  if (cancelled) reader.forget()
  return code
}

async function runPrompt(line: string, sitting: Sitting): Promise<number | undefined> {
  const { run, at, reader, notes, seen, turns, maxTurns, during } = sitting
  const { io, out } = run
  const images = await attempted(sitting, ({ signal }) => withImages(line, line, { run, notes, signal }))
  // What is wrong with one was told; the line can be had again with Up.
  if (images.value === undefined || images.cancelled) return images.code
  const prompt = withHeard(at.unheard.take(), images.value)
  const renderer = textRenderer({ io, out, notes, seen })
  const { value: ended, stop } = await during((stopping) =>
    turns.during(stopping.signal, () =>
      runTurn({ agent: at.agent, prompt, renderer: at.counting(renderer), notes, stop: stopping, env: io.env, maxTurns, desk: reader }),
    ),
  )
  if (ended.left) return ended.code
  if (stop.cause && stop.cause !== 'interrupt') return codeOfCause[stop.cause]
  out.write('\n')
  // Who cancels a task does not want the lines that were pasted behind it either.
  if (stop.cause) reader.forget()
  return undefined
}

function withHeard(heard: readonly string[], prompt: string | readonly UserBlock[]): string | readonly UserBlock[] {
  if (heard.length === 0) return prompt
  const texts = heard.map((text): UserBlock => ({ type: 'text', text }))
  return [...texts, ...(typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt)]
}
