import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { ToolProvider, UserBlock } from '../index.ts'
import type { CliOptions } from './args.ts'
import type { Ask, AskOptions } from './ask.ts'
import { askAtTerminal } from './ask.ts'
import { checkSettings, loadSettings } from './config/load-settings.ts'
import type { Settings } from './config/load-settings.ts'
import { elicitAtTerminal, elicitFromNobody } from './elicitation/at-terminal.ts'
import type { Elicit } from './elicitation/at-terminal.ts'
import { Turns } from './elicitation/turns.ts'
import type { Io } from './io.ts'
import { LineReader } from './line-reader.ts'
import { modelNote, namedModel } from './named-model.ts'
import type { ModelChosen } from './named-model.ts'
import { notesTo } from './notes.ts'
import type { Notes } from './notes.ts'
import type { Output } from './output.ts'
import { AnswerRenderer, textRenderer } from './render-text.ts'
import type { Renderer } from './renderer.ts'
import { runTurn } from './run-turn.ts'
import { SeenChanges } from './screen/seen-changes.ts'
import type { Stop } from './stop.ts'
import { styleFor } from './style.ts'
import { newTracePath } from './trace/traces-folder.ts'
import { askTrustAtTerminal } from './trust/ask-trust.ts'
import type { AskTrust } from './trust/ask-trust.ts'

export type TaskRun = {
  readonly io: Io
  readonly out: Output
  readonly err: Output
  readonly options: CliOptions
  readonly workspace: string
  readonly stop: Stop
}

/** What a task begins with. */
export type Task = {
  /** All of it, what was piped in too. */
  readonly prompt: string
  /** The words of the person: images that they name go with it. */
  readonly said: string
}

/** One task from its prompt to its answer. Gives the exit code. */
export async function runTask(run: TaskRun, { prompt: text, said }: Task): Promise<number> {
  const { io, out, err, options, workspace, stop } = run
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet, out })
  const prompt = await withImages(text, said, { run, notes, signal: stop.signal })
  const settings = await settingsFor(run, notes, { ask: askTrustFor(run), signal: stop.signal })
  const { chooseSession } = await import('./sessions/choose-session.ts')
  const chosen = await chooseSession(io, workspace, sessionOptions(options, settings), { notes, picker: pickerFor(run) })
  const model = await modelFor(run, settings)
  const note = modelNote(model)
  if (note !== undefined) notes.note(note)
  const session = chosen?.session
  const turns = new Turns()
  const elicit = elicitFor(run, turns, notes)
  const servers = await serversFor(run, settings, { notes, ask: askTrustFor(run), elicit, signal: stop.signal })
  const trace = traceFor(run)
  const { createAgent } = await import('./create-agent.ts')
  const made = await createAgent(io, { model: model.name, workspace, settings, ask: askFor(run), servers, session, trace })
  await using _ = { [Symbol.asyncDispose]: () => made.close() }
  const { agent, warnings } = made
  for (const text of warnings) notes.warn(text)
  const maxTurns = settings.values['limits.turns']!
  const renderer = await rendererFor(run, notes, session?.id)
  const desk = deskOf(run)
  const { code } = await turns.during(stop.signal, () =>
    runTurn({ agent, prompt, renderer, notes, stop, env: io.env, maxTurns, desk: desk?.reader }),
  )
  return code
}

/**
 * The prompt with the images that the words of the person name.
 *
 * @throws {UsageError} for one that cannot be sent.
 */
export async function withImages(
  prompt: string,
  said: string,
  { run: { io, workspace }, notes, signal }: { readonly run: Omit<TaskRun, 'stop'>; readonly notes: Notes; readonly signal: AbortSignal },
): Promise<string | readonly UserBlock[]> {
  if (!said.includes('@')) return prompt
  const { imagesIn } = await import('./attach-images.ts')
  const { blocks, shown } = await imagesIn(said, { workspace, env: io.env, signal })
  if (blocks.length === 0) return prompt
  notes.note(`With ${shown.join('; ')}.`)
  return [{ type: 'text', text: prompt }, ...blocks]
}

/** The settings of a task, with what is wrong or left out in them told. */
export async function settingsFor(
  { io, options, workspace }: Omit<TaskRun, 'stop'>,
  notes: Notes,
  asking: { readonly ask?: AskTrust | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Settings> {
  const settings = await loadSettings(io, workspace, { options, ...asking })
  checkSettings(settings)
  for (const text of settings.warnings) notes.warn(text)
  return settings
}

/** The MCP servers that the files name and the settings leave. */
export async function serversFor(
  { io, options, workspace }: Omit<TaskRun, 'stop'>,
  { values }: Settings,
  {
    notes,
    ...asking
  }: {
    readonly notes: Notes
    readonly ask?: AskTrust | undefined
    readonly elicit: Elicit
    readonly signal: AbortSignal
    readonly startsLater?: boolean
  },
): Promise<readonly ToolProvider[]> {
  // Who names a file on the command line wants it, whatever the settings say.
  const isGivenAlone = values['mcp.enabled'] === false
  if (isGivenAlone && options.mcpConfig.length === 0) return []
  const { mcpServers } = await import('./mcp/mcp-servers.ts')
  return await mcpServers({
    io,
    workspace,
    given: options.mcpConfig,
    isGivenAlone,
    off: values['mcp.off'],
    warn: (text) => notes.warn(text),
    ...asking,
  })
}

/** Where a trace goes: the file that was named, from the folder the program was started in, or a new one. */
export function traceFor({ io, options: { trace } }: Omit<TaskRun, 'stop'>): string | undefined {
  if (trace === undefined) return undefined
  return trace === true ? newTracePath(io, randomBytes(3).toString('hex')) : resolve(io.cwd, trace)
}

export const sessionOptions = (options: CliOptions, { values }: Settings): CliOptions =>
  // Who names a session wants it, whatever the settings say.
  values.sessions === false && !options.continue && options.resume === undefined ? { ...options, session: false } : options

export async function modelFor({ io, options }: Omit<TaskRun, 'stop'>, { values, sources }: Settings): Promise<ModelChosen> {
  const isFromFile = sources.model.some((source) => source === 'user' || source === 'project')
  const named = namedModel(options.model, io.env, isFromFile ? values.model : undefined)
  if (named) return named
  const { findModel } = await import('./choose-model.ts')
  return await findModel(undefined, io.env, io.findServers)
}

async function rendererFor(run: TaskRun, notes: Notes, session: string | undefined): Promise<Renderer> {
  const { io, out, options } = run
  if (options.output !== 'text')
    return new (await import('./render-json.ts')).JsonRenderer(out, notes, { events: options.output === 'stream-json', session })
  return options.print ? new AnswerRenderer(out, notes) : textRenderer({ io, out, notes, seen: deskOf(run)?.seen })
}

/** One keyboard has one reader. */
const desks = new WeakMap<TaskRun, { readonly reader: LineReader; readonly seen: SeenChanges }>()

/** Where a person types who can be asked something, and sees the question: the output is meant for people then. */
function deskOf(run: TaskRun): { readonly to: Output; readonly reader: LineReader; readonly seen: SeenChanges } | undefined {
  const { io, out, err, options } = run
  const to = out.isTTY ? out : err
  if (!io.stdin.isTTY || !to.isTTY || options.print || options.output !== 'text') return undefined
  const { env, suspend, onSuspend } = io
  const desk = desks.get(run) ?? {
    reader: new LineReader(io.stdin, to === out ? io.stdout : io.stderr, { env, suspend, onSuspend }),
    seen: new SeenChanges(),
  }
  desks.set(run, desk)
  return { to, ...desk }
}

function askOptionsFor(run: TaskRun): AskOptions | undefined {
  const { io, out, err, stop, workspace } = run
  const desk = deskOf(run)
  if (!desk) return undefined
  const style = styleFor(desk.to === out ? io.stdout : io.stderr, io.env)
  return { ...desk, held: [out, err], style, workspace, interrupt: () => stop.interrupt() }
}

function askFor(run: TaskRun): Ask | undefined {
  const options = askOptionsFor(run)
  return options && askAtTerminal(options)
}

function askTrustFor(run: TaskRun): AskTrust | undefined {
  const options = askOptionsFor(run)
  return options && askTrustAtTerminal(options)
}

function elicitFor(run: TaskRun, turns: Turns, notes: Notes): Elicit {
  const options = askOptionsFor(run)
  const warn = (text: string): void => notes.warn(text)
  return options ? elicitAtTerminal({ ...options, turns, warn }) : elicitFromNobody(warn)
}

function pickerFor(run: TaskRun): { readonly reader: LineReader; readonly out: Output } | undefined {
  const desk = deskOf(run)
  return desk && { reader: desk.reader, out: desk.to }
}
