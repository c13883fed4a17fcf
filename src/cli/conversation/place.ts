import type { Session, ToolProvider } from '../../index.ts'
import { askAtTerminal } from '../ask.ts'
import type { AskOptions } from '../ask.ts'
import type { Settings } from '../config/load-settings.ts'
import type { AgentMade } from '../create-agent.ts'
import { namedModel } from '../named-model.ts'
import type { ModelChosen } from '../named-model.ts'
import type { Notes } from '../notes.ts'
import type { Renderer } from '../renderer.ts'
import type { TaskRun } from '../run-task.ts'
import { knowModels } from '../slash/model.ts'
import type { Talk } from '../slash/slash-command.ts'
import type { UsageTally } from '../usage-tally.ts'
import type { Toolbox, Workbench } from '../workbench.ts'
import { Unheard } from './own-command.ts'

export type Around = {
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
export type Beginning = { readonly model: ModelChosen; readonly session: Session | 'new' | undefined }

/** Where a conversation stands: its model, its session, and the agent that is made of them. */
export class Place implements AsyncDisposable {
  readonly #around: Around
  #tally: UsageTally | undefined
  readonly #beginning: Beginning
  #standing: Standing | undefined
  #soon: NodeJS.Immediate | undefined
  #opening: Promise<void> | undefined
  #made: AgentMade | undefined
  /** What the person has run. */
  readonly unheard = new Unheard()
  #bench: Workbench | undefined

  constructor(around: Around, beginning: Beginning) {
    this.#around = around
    this.#beginning = beginning
  }

  get agent(): AgentMade['agent'] {
    return this.#made!.agent
  }

  /** The tools of the conversation, whichever of them the settings leave to the model. */
  get tools(): Toolbox['tools'] {
    return this.#standing!.toolbox.tools
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
    const [{ Workbench }, { UsageTally }] = await Promise.all([import('../workbench.ts'), import('../usage-tally.ts'), knowModels()])
    const { run, settings, notes } = this.#around
    const { model, session: wanted } = this.#beginning
    const bench = (this.#bench = new Workbench(run.io, run.workspace, settings))
    const session = wanted === 'new' ? await this.#newSession() : wanted
    const standing = { model, session, toolbox: bench.toolbox() }
    const made = await this.#makeAgent(standing)
    this.#standing = standing
    this.#tally = new UsageTally()
    this.#made = made
    for (const text of made.warnings) notes.warn(text)
  }

  async #newSession(): Promise<Session | undefined> {
    const { io, workspace } = this.#around.run
    const [{ newSession }, { sessionFolder }] = await Promise.all([
      import('../sessions/choose-session.ts'),
      import('../sessions/session-folder.ts'),
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
    const toolbox = wanted === undefined ? before.toolbox : this.#bench!.toolbox()
    const standing: Standing = { model, session, toolbox }
    const made = await this.#makeAgent(standing, wanted === undefined && !session ? old.agent.messages : undefined)
    // What was allowed in this conversation holds on in it.
    made.permissions.mode = old.permissions.mode
    const known = new Set(made.permissions.rules.map((rule) => JSON.stringify(rule)))
    for (const rule of old.permissions.rules) if (!known.has(JSON.stringify(rule))) made.permissions.add(rule)
    this.#made = made
    this.#standing = standing
    if (wanted !== undefined) this.unheard.forget()
    await old.close()
  }

  async #makeAgent({ model, session, toolbox }: Standing, messages?: AgentMade['agent']['messages']): Promise<AgentMade> {
    const { run, asking, settings, servers, trace } = this.#around
    const { io, workspace } = run
    const { createAgent } = await import('../create-agent.ts')
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
