import { join } from 'node:path'
import type { Session, ToolProvider } from '../index.ts'
import { askAtTerminal } from './ask.ts'
import type { AskOptions } from './ask.ts'
import type { Settings } from './config/load-settings.ts'
import type { AgentMade } from './create-agent.ts'
import { elicitAtTerminal } from './elicitation/at-terminal.ts'
import { Turns } from './elicitation/turns.ts'
import { errorText } from './error-text.ts'
import { stateFolder } from './folders.ts'
import { codeOfCause, exitCodes } from './exit-code.ts'
import { LineReader } from './line-reader.ts'
import { modelNote, namedModel } from './named-model.ts'
import type { ModelChosen } from './named-model.ts'
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
import { SeenChanges } from './screen/seen-changes.ts'
import { wrapText } from './screen/wrap.ts'
import { knowModels } from './slash/model.ts'
import { runSlash, slashCompletions, slashIn } from './slash/index.ts'
import type { Talk } from './slash/slash-command.ts'
import type { Stop } from './stop.ts'
import { watchForStop } from './stop.ts'
import { styleFor } from './style.ts'
import { askTrustAtTerminal } from './trust/ask-trust.ts'
import type { UsageTally } from './usage-tally.ts'
import { version } from './version.ts'
import type { Toolbox, Workbench } from './workbench.ts'

/** Line by line with the person at the terminal, until they leave. Gives the exit code. */
export async function converse(run: Omit<TaskRun, 'stop'>): Promise<number> {
  const { io, out, err, options, workspace } = run
  const style = styleFor(io.stdout, io.env)
  const reader = new LineReader(io.stdin, io.stdout, {
    env: io.env,
    history: fileHistory(join(stateFolder(io), 'history.jsonl')),
    completions: completionsFor({ lines: slashCompletions, workspace }),
    suspend: io.suspend,
    onSuspend: io.onSuspend,
  })
  // On the same terminal; a stream that goes elsewhere does not disturb what is typed.
  const aside = err.isTTY ? (write: () => void): void => reader.aside(write) : undefined
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet, out, aside })
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
  const seen = new SeenChanges()
  const asking: AskOptions = { reader, to: out, held: [out, err], style, workspace, seen, interrupt: () => stop?.interrupt() }

  const turns = new Turns()
  const elicit = elicitAtTerminal({ ...asking, turns, warn: (text) => notes.warn(text) })

  const begun = await during(async ({ signal }) => {
    const ask = askTrustAtTerminal(asking)
    const settings = await settingsFor(run, notes, { ask, signal })
    const servers = await serversFor(run, settings, { notes, ask, elicit, signal, startsLater: true })
    const wanted = sessionOptions(options, settings)
    // A new one is made with the agent: the first screen does not wait for what keeps it.
    const isOld = wanted.session && (wanted.continue || wanted.resume !== undefined)
    const chosen = isOld
      ? await (await import('./sessions/choose-session.ts')).chooseSession(io, workspace, wanted, { notes, picker: { reader, out } })
      : undefined
    return { settings, servers, chosen, isKept: wanted.session, model: await modelFor(run, settings) }
  })
  if (begun.stop.cause) return codeOfCause[begun.stop.cause]
  const { settings, servers, chosen: goesOn, isKept, model } = begun.value
  const maxTurns = settings.values['limits.turns']!
  await using at = new Place(
    { run, notes, asking, settings, servers, trace: traceFor(run) },
    { model, session: goesOn?.session ?? (isKept ? 'new' : undefined) },
  )
  // Now, not at the first line: a wrong name or a missing key is told before anything was typed.
  if (model.name !== 'offline' || io.modelOf) await (await import('./check-model.ts')).checkModel(io, model.name)
  if (goesOn) await at.open()

  const named = goesOn ? `, session ${goesOn.session.id}` : ''
  const say = (text: string): void => {
    for (const row of wrapText(text, out.wrapWidth)) out.line(style.dim(row))
  }
  say(`Lena ${version}, model ${showControls(model.name)}, in ${showControls(workspace)}${named}. /help for help, Ctrl-D to leave.`)
  if (goesOn) say(`Going on with: ${goesOn.title} (${at.agent.messages.length} messages)`)
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
    const renderer = textRenderer({ io, out, notes, seen })
    const { value: ended, stop: inTurn } = await during((stopping) =>
      turns.during(stopping.signal, () =>
        runTurn({
          agent: at.agent,
          prompt,
          renderer: at.counting(renderer),
          notes,
          stop: stopping,
          env: io.env,
          maxTurns,
          desk: reader,
        }),
      ),
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
type Standing = {
  readonly model: ModelChosen
  readonly session: Session | undefined
  readonly toolbox: Toolbox
}
/** `new`: a session that is made with the agent. */
type Beginning = { readonly model: ModelChosen; readonly session: Session | 'new' | undefined }

/** Where a conversation stands: its model, its session, and the agent that is made of them. */
class Place implements AsyncDisposable {
  readonly #around: Around
  #tally: UsageTally | undefined
  readonly #beginning: Beginning
  #standing: Standing | undefined
  #soon: NodeJS.Immediate | undefined
  #opening: Promise<void> | undefined
  #made: AgentMade | undefined
  #bench: Workbench | undefined

  constructor(around: Around, beginning: Beginning) {
    this.#around = around
    this.#beginning = beginning
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
    const [{ Workbench }, { UsageTally }] = await Promise.all([import('./workbench.ts'), import('./usage-tally.ts'), knowModels()])
    const { run, settings, notes } = this.#around
    const { model, session: wanted } = this.#beginning
    const bench = (this.#bench = new Workbench(run.io, run.workspace, settings))
    const session = wanted === 'new' ? await this.#newSession() : wanted
    const standing = { model, session, toolbox: await bench.toolbox(session) }
    const made = await this.#makeAgent(standing)
    this.#standing = standing
    this.#tally = new UsageTally()
    this.#made = made
    for (const text of made.warnings) notes.warn(text)
  }

  async #newSession(): Promise<Session | undefined> {
    const { io, workspace } = this.#around.run
    const [{ newSession }, { sessionFolder }] = await Promise.all([
      import('./sessions/choose-session.ts'),
      import('./sessions/session-folder.ts'),
    ])
    return (await newSession(io, sessionFolder(io, workspace), this.#around.notes))?.session
  }

  /** The same renderer, and what was used is counted. */
  counting(renderer: Renderer): Renderer {
    return {
      onEvent: (event) => {
        this.#tally!.take(event, this.#standing!.model.name)
        return renderer.onEvent(event)
      },
      onResult: (result) => renderer.onResult(result),
      onError: (error) => renderer.onError(error),
    }
  }

  talk(signal: AbortSignal): Talk {
    const { run, notes, asking, settings, servers } = this.#around
    const now = (): Standing => this.#standing!
    const made = (): AgentMade => this.#made!
    return {
      io: run.io,
      out: run.out,
      notes,
      style: asking.style,
      workspace: run.workspace,
      settings,
      servers,
      tally: this.#tally!,
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
      bench: this.#bench!,
      signal,
      goOn: (change) => this.#goOn(change),
    }
  }

  async #goOn({ model: name, session: wanted }: Parameters<Talk['goOn']>[0]): Promise<void> {
    const { io } = this.#around.run
    const old = this.#made!
    const before = this.#standing!
    const model = name === undefined ? before.model : namedModel(name, io.env)!
    // Who keeps nothing keeps nothing of the next one either.
    const session = wanted !== 'new' ? (wanted ?? before.session) : before.session && (await this.#newSession())
    // The same conversation goes on with what it has read and where its commands run; another one has read nothing yet.
    const toolbox = wanted === undefined ? before.toolbox : await this.#bench!.toolbox(session)
    const standing: Standing = { model, session, toolbox }
    const made = await this.#makeAgent(standing, wanted === undefined && !session ? old.agent.messages : undefined)
    // What was allowed in this conversation holds on in it.
    made.permissions.mode = old.permissions.mode
    const known = new Set(made.permissions.rules.map((rule) => JSON.stringify(rule)))
    for (const rule of old.permissions.rules) if (!known.has(JSON.stringify(rule))) made.permissions.add(rule)
    this.#made = made
    this.#standing = standing
    await old.close()
  }

  async #makeAgent({ model, session, toolbox }: Standing, messages?: AgentMade['agent']['messages']): Promise<AgentMade> {
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
      toolbox,
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
    await this.#bench?.end()
  }
}
