import { findLocalServers } from '../index.ts'
import { askAtTerminal } from './ask.ts'
import { findModel, modelNote } from './choose-model.ts'
import { createAgent } from './create-agent.ts'
import { codeOfCause, exitCodes } from './exit-code.ts'
import { LineReader } from './line-reader.ts'
import { notesTo } from './notes.ts'
import { TextRenderer } from './render-text.ts'
import type { TaskRun } from './run-task.ts'
import { runTurn } from './run-turn.ts'
import { showControls } from './sanitise.ts'
import type { Stop } from './stop.ts'
import { watchForStop } from './stop.ts'
import { styleFor } from './style.ts'
import { version } from './version.ts'

const help = `A line is a task; the conversation goes on from it. Ctrl-C cancels a task, at the prompt it leaves.
  /help   this text
  /exit   leave (also /quit, Ctrl-D)`

/** Line by line with the person at the terminal, until they leave. Gives the exit code. */
export async function converse({ io, out, err, options, workspace }: Omit<TaskRun, 'stop'>): Promise<number> {
  const { maxTurns, quiet } = options
  const style = styleFor(io.stdout, io.env)
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet, out })
  const reader = new LineReader(io.stdin, io.stdout)
  const model = await findModel(options.model, io.env, io.findServers ?? findLocalServers)
  let stop: Stop | undefined
  const ask = askAtTerminal({ reader, to: out, held: [out, err], style, interrupt: () => stop?.interrupt() })
  await using agent = createAgent(io, { model: model.name, workspace, maxTurns, ask })
  // Now, not at the first line: a wrong name or a missing key is told before anything was typed.
  await agent.ready()

  /** What happens from outside while the work lasts. */
  const during = async <T>(work: (stop: Stop) => Promise<T>): Promise<{ readonly value: T; readonly stop: Stop }> => {
    stop = watchForStop(io, out)
    try {
      return { value: await work(stop), stop }
    } finally {
      stop.dispose()
    }
  }

  out.line(style.dim(`Lena ${version}, model ${showControls(model.name)}, in ${showControls(workspace)}. /help for help, Ctrl-D to leave.`))
  const note = modelNote(model)
  if (note !== undefined) notes.note(note)
  for (;;) {
    const { value: line, stop: atPrompt } = await during(({ signal }) => reader.read({ prompt: `${style.bold('>')} `, signal }))
    if (atPrompt.cause && atPrompt.cause !== 'interrupt') return codeOfCause[atPrompt.cause]
    if (line.kind !== 'line') return exitCodes.done
    const prompt = line.text.trim()
    if (prompt === '') continue
    if (prompt === '/exit' || prompt === '/quit') return exitCodes.done
    if (prompt === '/help') {
      out.line(help)
      continue
    }
    const renderer = new TextRenderer(out, style, notes)
    const { value: ended, stop: inTurn } = await during((stopping) =>
      runTurn({ agent, prompt, renderer, notes, stop: stopping, env: io.env, maxTurns }),
    )
    if (ended.left) return ended.code
    if (inTurn.cause && inTurn.cause !== 'interrupt') return codeOfCause[inTurn.cause]
    out.write('\n')
    // Who cancels a task does not want the lines that were pasted behind it either.
    if (inTurn.cause) reader.forget()
  }
}
