import { join } from 'node:path'
import { findLocalServers } from '../index.ts'
import type { Session, ToolProvider } from '../index.ts'
import { askAtTerminal } from './ask.ts'
import type { AskOptions } from './ask.ts'
import { checkModel, findModel, modelNote } from './choose-model.ts'
import type { ModelChosen } from './choose-model.ts'
import type { Settings } from './config/load-settings.ts'
import type { AgentMade } from './create-agent.ts'
import { errorText } from './error-text.ts'
import { stateFolder } from './folders.ts'
import { codeOfCause, exitCodes } from './exit-code.ts'
import { LineReader } from './line-reader.ts'
import { notesTo } from './notes.ts'
import type { Notes } from './notes.ts'
import { textRenderer } from './render-text.ts'
import type { Renderer } from './renderer.ts'
import type { TaskRun } from './run-task.ts'
import { modelFor, serversFor, sessionOptions, settingsFor, traceFor } from './run-task.ts'
import { runTurn } from './run-turn.ts'
import { showControls } from './sanitise.ts'
import { completionsFor } from './screen/complete.ts'
import { fileHistory } from './screen/history.ts'
import { chooseSession, newSession } from './sessions/choose-session.ts'
import { sessionFolder } from './sessions/session-folder.ts'
import { runSlash, slashCompletions, slashIn } from './slash/index.ts'
import type { Talk } from './slash/slash-command.ts'
import type { Stop } from './stop.ts'
import { watchForStop } from './stop.ts'
import { styleFor } from './style.ts'
import { askTrustAtTerminal } from './trust/ask-trust.ts'
import { UsageTally } from './usage-tally.ts'
import { version } from './version.ts'

/** Line by line with the person at the terminal, until they leave. Gives the exit code. */
export async function converse(run: Omit<TaskRun, 'stop'>): Promise<number> {
  const { io, out, err, options, workspace } = run
  const style = styleFor(io.stdout, io.env)
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet, out })
  const reader = new LineReader(io.stdin, io.stdout, {
    env: io.env,
    history: fileHistory(join(stateFolder(io), 'history.jsonl')),
    completions: completionsFor({ lines: slashCompletions, workspace }),
    suspend: io.suspend,
  })
  let stop: Stop | undefined
  /** What happens from outside while the work lasts. */
  const during = async <T>(work: (stop: Stop) => Promise<T>): Promise<{ readonly value: T; readonly stop: Stop }> => {
    stop = watchForStop(io, out)
    try {
      return { value: await work(stop), stop }
    } finally {
      stop.dispose()
    }
  }
  const asking: AskOptions = { reader, to: out, held: [out, err], style, workspace, interrupt: () => stop?.interrupt() }

  const begun = await during(async ({ signal }) => {
    const ask = askTrustAtTerminal(asking)
    const settings = await settingsFor(run, notes, { ask, signal })
    const servers = await serversFor(run, settings, { notes, ask, signal, startsLater: true })
    const chosen = await chooseSession(io, workspace, sessionOptions(options, settings), { notes, picker: { reader, out } })
    return { settings, servers, chosen, model: await modelFor(run, settings) }
  })
  if (begun.stop.cause) return codeOfCause[begun.stop.cause]
  const { settings, servers, chosen, model } = begun.value
  const maxTurns = settings.values['limits.turns']!
  await using at = new Place({ run, notes, asking, settings, servers, trace: traceFor(run) }, { model, session: chosen?.session })
  // Now, not at the first line: a wrong name or a missing key is told before anything was typed.
  await checkModel(io, model.name)
  const goesOn = chosen && !chosen.isNew
  if (goesOn) await at.open()

  const named = goesOn ? `, session ${chosen.session.id}` : ''
  out.line(
    style.dim(
      `Lena ${version}, model ${showControls(model.name)}, in ${showControls(workspace)}${named}. /help for help, Ctrl-D to leave.`,
    ),
  )
  if (goesOn) out.line(style.dim(`Going on with: ${chosen.title} (${at.agent.messages.length} messages)`))
  const note = modelNote(model)
  if (note !== undefined) notes.note(note)
  using _keyboard = { [Symbol.dispose]: reader.hold({ interrupt: () => stop?.interrupt() }) }
  // The first screen does not wait for the tools: they are made while a person reads it.
  const failed = new AbortController()
  at.openSoon(() => failed.abort())
  for (;;) {
    const { value: line, stop: atPrompt } = await during(({ signal }) =>
      reader.read({ prompt: `${style.bold('>')} `, signal: AbortSignal.any([signal, failed.signal]) }),
    )
    if (failed.signal.aborted) await at.open()
    if (atPrompt.cause && atPrompt.cause !== 'interrupt') return codeOfCause[atPrompt.cause]
    if (line.kind !== 'line') return exitCodes.done
    const prompt = line.text.trim()
    if (prompt === '') continue
    const { value: isOpen, stop: inOpening } = await during(({ signal }) => at.opened(signal))
    if (inOpening.cause && inOpening.cause !== 'interrupt') return codeOfCause[inOpening.cause]
    if (!isOpen) continue
    const slash = slashIn(prompt)
    if (slash) {
      const { value, stop: inSlash } = await during(async ({ signal }) => {
        try {
          return await runSlash(at.talk(signal), slash)
        } catch (error) {
          return void (signal.aborted ? notes.note('Cancelled.') : notes.error(errorText(error, io.env)))
        }
      })
      if (inSlash.cause && inSlash.cause !== 'interrupt') return codeOfCause[inSlash.cause]
      if (value === 'leave') return exitCodes.done
      continue
    }
    const renderer = textRenderer({ io, out, notes })
    const { value: ended, stop: inTurn } = await during((stopping) =>
      runTurn({
        agent: at.agent,
        prompt,
        renderer: at.counting(renderer),
        notes,
        stop: stopping,
        env: io.env,
        maxTurns,
        desk: { reader, out },
      }),
    )
    if (ended.left) return ended.code
    if (inTurn.cause && inTurn.cause !== 'interrupt') return codeOfCause[inTurn.cause]
    out.write('\n')
    // Who cancels a task does not want the lines that were pasted behind it either.
    if (inTurn.cause) reader.forget()
  }
}

type Around = {
  readonly run: Omit<TaskRun, 'stop'>
  readonly notes: Notes
  readonly asking: AskOptions
  readonly settings: Settings
  readonly servers: readonly ToolProvider[]
  readonly trace: string | undefined
}
type Standing = { readonly model: ModelChosen; readonly session: Session | undefined }

/** Where a conversation stands: its model, its session, and the agent that is made of them. */
class Place implements AsyncDisposable {
  readonly #around: Around
  readonly #tally = new UsageTally()
  #standing: Standing
  #soon: NodeJS.Immediate | undefined
  #opening: Promise<void> | undefined
  #made: AgentMade | undefined

  constructor(around: Around, standing: Standing) {
    this.#around = around
    this.#standing = standing
  }

  get agent(): AgentMade['agent'] {
    return this.#made!.agent
  }

  /**
   * Makes the agent, once.
   *
   * @throws what keeps the model, a tool or the session from being used.
   */
  open(): Promise<void> {
    return (this.#opening ??= this.#open())
  }

  /** Begins with it in the next turn of the event loop, unless all is over by then. */
  openSoon(onFailure: () => void): void {
    this.#soon = setImmediate(() => void this.open().catch(onFailure))
  }

  /** Waits for it, until the signal fires. Gives whether it is there. */
  async opened(signal: AbortSignal): Promise<boolean> {
    let leave = (): void => {}
    const left = new Promise<false>((resolve) => (leave = () => resolve(false)))
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([this.open().then(() => true), left])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  async #open(): Promise<void> {
    this.#made = await this.#makeAgent(this.#standing)
    for (const text of this.#made.warnings) this.#around.notes.warn(text)
  }

  /** The same renderer, and what was used is counted. */
  counting(renderer: Renderer): Renderer {
    return {
      onEvent: (event) => {
        this.#tally.take(event, this.#standing.model.name)
        return renderer.onEvent(event)
      },
      onResult: (result) => renderer.onResult(result),
      onError: (error) => renderer.onError(error),
    }
  }

  talk(signal: AbortSignal): Talk {
    const { run, notes, asking, settings, servers } = this.#around
    const now = (): Standing => this.#standing
    const made = (): AgentMade => this.#made!
    return {
      io: run.io,
      out: run.out,
      notes,
      style: asking.style,
      workspace: run.workspace,
      settings,
      servers,
      tally: this.#tally,
      // As they are when they are asked for: a command may have changed them.
      get agent() {
        return made().agent
      },
      get permissions() {
        return made().permissions
      },
      get model() {
        return now().model
      },
      get session() {
        return now().session
      },
      signal,
      goOn: (change) => this.#goOn(change),
    }
  }

  async #goOn({ model, session }: Parameters<Talk['goOn']>[0]): Promise<void> {
    const { run, notes } = this.#around
    const { io, workspace } = run
    const old = this.#made!
    const isKept = this.#standing.session !== undefined
    const standing: Standing = {
      model: model === undefined ? this.#standing.model : await findModel(model, io.env, io.findServers ?? findLocalServers),
      session:
        session === 'new'
          ? isKept
            ? (await newSession(io, sessionFolder(io, workspace), notes))?.session
            : undefined
          : (session ?? this.#standing.session),
    }
    const messages = session === undefined && !standing.session ? old.agent.messages : undefined
    const made = await this.#makeAgent(standing, messages)
    // What was allowed in this conversation holds on in it.
    made.permissions.mode = old.permissions.mode
    const known = new Set(made.permissions.rules.map((rule) => JSON.stringify(rule)))
    for (const rule of old.permissions.rules) if (!known.has(JSON.stringify(rule))) made.permissions.add(rule)
    this.#made = made
    this.#standing = standing
    await old.close()
  }

  async #makeAgent({ model, session }: Standing, messages?: AgentMade['agent']['messages']): Promise<AgentMade> {
    const { run, asking, settings, servers, trace } = this.#around
    const { io, workspace } = run
    const { createAgent } = await import('./create-agent.ts')
    const made = await createAgent(io, {
      model: model.name,
      workspace,
      settings,
      ask: askAtTerminal(asking),
      servers,
      session,
      trace,
      messages,
    })
    try {
      await made.agent.ready()
      return made
    } catch (error) {
      await made.close()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearImmediate(this.#soon)
    // What is under way is brought to its end, so that nothing of it is left behind. What it failed with was told.
    await this.#opening?.catch(() => {})
    await this.#made?.close()
  }
}
