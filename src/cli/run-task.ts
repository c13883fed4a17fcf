import { findLocalServers } from '../index.ts'
import type { CliOptions } from './args.ts'
import type { Ask } from './ask.ts'
import { askAtTerminal } from './ask.ts'
import { findModel, modelNote } from './choose-model.ts'
import { createAgent } from './create-agent.ts'
import type { Io } from './io.ts'
import { LineReader } from './line-reader.ts'
import { notesTo } from './notes.ts'
import type { Notes } from './notes.ts'
import type { Output } from './output.ts'
import { JsonRenderer } from './render-json.ts'
import { AnswerRenderer, TextRenderer } from './render-text.ts'
import type { Renderer } from './renderer.ts'
import { runTurn } from './run-turn.ts'
import type { Stop } from './stop.ts'
import { styleFor } from './style.ts'

export type TaskRun = {
  readonly io: Io
  readonly out: Output
  readonly err: Output
  readonly options: CliOptions
  readonly workspace: string
  readonly stop: Stop
}

/** One task from its prompt to its answer. Gives the exit code. */
export async function runTask(run: TaskRun, prompt: string): Promise<number> {
  const { io, out, err, options, workspace, stop } = run
  const { maxTurns, quiet } = options
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet, out })
  const model = await findModel(options.model, io.env, io.findServers ?? findLocalServers)
  const note = modelNote(model)
  if (note !== undefined) notes.note(note)
  await using agent = createAgent(io, { model: model.name, workspace, maxTurns, ask: askFor(run) })
  const { code } = await runTurn({ agent, prompt, renderer: rendererFor(run, notes), notes, stop, env: io.env, maxTurns })
  return code
}

function rendererFor({ io, out, options }: TaskRun, notes: Notes): Renderer {
  if (options.output !== 'text') return new JsonRenderer(out, notes, { events: options.output === 'stream-json' })
  return options.print ? new AnswerRenderer(out, notes) : new TextRenderer(out, styleFor(io.stdout, io.env), notes)
}

/** Somebody can be asked when they can type an answer and see the question, and the output is meant for people. */
function askFor({ io, out, err, options, stop }: TaskRun): Ask | undefined {
  const to = out.isTTY ? out : err
  if (!io.stdin.isTTY || !to.isTTY || options.print || options.output !== 'text') return undefined
  const stream = to === out ? io.stdout : io.stderr
  return askAtTerminal({
    reader: new LineReader(io.stdin, stream),
    to,
    held: [out, err],
    style: styleFor(stream, io.env),
    interrupt: () => stop.interrupt(),
  })
}
