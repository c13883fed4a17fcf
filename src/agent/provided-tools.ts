import { AgentError } from '../errors.ts'
import type { ToolConsumer, ToolProvider } from '../tools/provider.ts'
import type { Tools } from '../tools/registry.ts'
import { childController, notNeeded, reasonOf, settle, settleOrAbort } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import type { Clock } from '../util/clock.ts'

/** How long a provider may take to give its tools. */
const loadLimitMs = 60_000
/** How long a provider may take to let go when the agent is closed: it may have a process to end. */
const leaveLimitMs = 10_000
/** Warnings that are kept for the next run: the newest. */
const mostKept = 20

export type ProvidedToolsOptions = {
  /** Of the agent, for the provider's messages. */
  readonly name: string
  readonly tools: Tools
  readonly clock: Clock
  /** Tells the consumer of the run that is under way. False when there is none: it is then kept for the next. */
  readonly tell: (code: string, message: string) => boolean
}

/** One provider, as this agent uses it. */
type Link = {
  readonly provider: ToolProvider
  /** While the agent is a consumer of it. */
  consumer: ToolConsumer | undefined
  /** Has it given tools since? */
  loaded: boolean
}

/** Loads under way, those that have not ended, and how many wait for them: they are ended when nobody does any more. */
type Round = {
  readonly controller: AbortController
  readonly loading: Set<Link>
  readonly ended: Promise<AgentError | undefined>
  waiting: number
}

/** Brings the tools of the providers into the registry: before the first turn, and again when a provider says that they are others. */
export class ProvidedTools {
  readonly #options: ProvidedToolsOptions
  readonly #links = new Map<ToolProvider, Link>()
  /** To be loaded before the next turn. */
  readonly #due = new Set<Link>()
  /** Could not be loaded again; tried with the next invocation. */
  readonly #failed = new Set<Link>()
  #seen: readonly ToolProvider[] = []
  #round: Round | undefined
  #leaving: Promise<unknown> | undefined
  #kept: (readonly [code: string, message: string])[] = []

  constructor(options: ProvidedToolsOptions) {
    this.#options = options
  }

  /**
   * Loads what must be loaded before the next turn; `undefined` when that is nothing. Resolves early when the signal fires.
   *
   * @param options.retry an invocation begins: what failed when it was loaded again is tried, and what nobody heard is told.
   * @throws {AgentError} that names the provider, when one gave no tools yet and cannot now.
   */
  refresh(signal: AbortSignal, options: { readonly retry?: boolean } = {}): Promise<void> | undefined {
    if (signal.aborted) return undefined
    this.#adopt()
    if (options.retry) {
      for (const link of this.#failed) this.#due.add(link)
      this.#failed.clear()
      for (const [code, message] of this.#kept.splice(0)) this.#tell(code, message)
    }
    return this.#due.size > 0 || this.#round ? this.#wait(signal) : undefined
  }

  /**
   * Leaves every provider. A provider that throws or takes longer than 10 s is left all the same; nobody is left to be told.
   * The next invocation would begin with them anew.
   */
  async close(): Promise<void> {
    const { tools, clock } = this.#options
    const bound = { signal: AbortSignal.abort(notNeeded), graceMs: leaveLimitMs, clock }
    const before = this.#leaving
    const leaving = [...this.#links.values()].map(async (link) => {
      const { consumer, provider } = link
      this.#failed.delete(link)
      this.#due.add(link)
      if (!consumer) return
      link.consumer = undefined
      link.loaded = false
      tools.withdraw(provider)
      await settleBounded(settle((async () => await provider.removeConsumer(consumer))()), bound)
    })
    await (this.#leaving = Promise.all([before, ...leaving]))
  }

  /** Takes note of providers that were added. */
  #adopt(): void {
    const { providers } = this.#options.tools
    if (providers === this.#seen) return
    this.#seen = providers
    for (const provider of providers) {
      if (this.#links.has(provider)) continue
      const link: Link = { provider, consumer: undefined, loaded: false }
      this.#links.set(provider, link)
      this.#due.add(link)
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#round) await this.#join(this.#round, signal)
    // Once, however often a provider says that its tools are others while it gives them.
    if (this.#due.size > 0 && !signal.aborted) await this.#join(this.#begin(), signal)
  }

  async #join(round: Round, signal: AbortSignal): Promise<void> {
    round.waiting++
    const settled = await settleOrAbort(round.ended, signal)
    round.waiting--
    if (settled?.ok && settled.value) throw settled.value
    if (settled || round.waiting > 0) return
    if (this.#round === round) this.#round = undefined
    for (const link of round.loading) this.#due.add(link)
    round.controller.abort(reasonOf(signal))
  }

  #begin(): Round {
    const links = [...this.#due]
    this.#due.clear()
    const controller = new AbortController()
    const loading = new Set(links)
    const loads = links.map((link) => this.#load(link, controller.signal).finally(() => loading.delete(link)))
    const ended = Promise.all(loads).then((errors) => {
      if (this.#round === round) this.#round = undefined
      return errors.find((error) => error !== undefined)
    })
    const round: Round = { controller, loading, ended, waiting: 0 }
    return (this.#round = round)
  }

  /** Never rejects. Gives the error that ends the invocation, if there is one. */
  async #load(link: Link, signal: AbortSignal): Promise<AgentError | undefined> {
    const { provider } = link
    let consumer: ToolConsumer | undefined
    try {
      if (this.#leaving) await settleOrAbort(this.#leaving, signal)
      if (signal.aborted) throw reasonOf(signal)
      consumer = this.#enter(link)
      const loaded = await this.#loaded(provider, signal)
      // The agent was closed, and has no use for them.
      if (link.consumer !== consumer) return undefined
      for (const said of this.#options.tools.provide(provider, loaded)) this.#tell('tool_skipped', said)
      link.loaded = true
      return undefined
    } catch (error) {
      if (signal.aborted || consumer !== link.consumer) return undefined
      const said = `The tools of "${provider.name}" could not be loaded${link.loaded ? ' again, and those that it gave before are used' : ''}: ${error instanceof Error ? error.message : String(error)}`
      if (!link.loaded) {
        this.#due.add(link)
        return new AgentError(said, { code: 'tool_provider_failed', cause: error })
      }
      this.#failed.add(link)
      this.#tell('tool_provider_failed', said)
      return undefined
    }
  }

  #enter(link: Link): ToolConsumer {
    if (link.consumer) return link.consumer
    const consumer: ToolConsumer = {
      name: this.#options.name,
      toolsChanged: () => {
        if (link.consumer === consumer) this.#due.add(link)
      },
      warn: (code, message) => {
        if (link.consumer === consumer) this.#tell(code, message)
      },
    }
    link.consumer = consumer
    try {
      link.provider.addConsumer(consumer)
    } catch (error) {
      link.consumer = undefined
      throw error
    }
    return consumer
  }

  async #loaded(provider: ToolProvider, round: AbortSignal): Promise<unknown> {
    const { clock } = this.#options
    const { controller, release } = childController(round)
    const timer = new AbortController()
    void clock.sleep(loadLimitMs, timer.signal).then(() => {
      if (!timer.signal.aborted) controller.abort(new Error(`it gave none within ${loadLimitMs / 1000} s.`))
    })
    const warn = (code: string, message: string): void => {
      if (!controller.signal.aborted) this.#tell(code, message)
    }
    try {
      const loading = (async () => await provider.loadTools({ signal: controller.signal, warn }))()
      const settled = await settleOrAbort(loading, controller.signal)
      if (!settled) throw reasonOf(controller.signal)
      if (!settled.ok) throw settled.error
      return settled.value
    } finally {
      release()
      timer.abort(notNeeded)
    }
  }

  #tell(code: string, message: string): void {
    if (this.#options.tell(code, message)) return
    this.#kept = [...this.#kept.slice(1 - mostKept), [code, message]]
  }
}
