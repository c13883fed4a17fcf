import { toAgentError } from '../errors.ts'
import type { Questions } from '../interrupts/asking.ts'
import type { Interrupt } from '../interrupts/interrupt.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { CallEnvironment, PreparedCall } from '../tools/call-environment.ts'
import { unknownFlags } from '../tools/flags.ts'
import { runCall } from '../tools/run-call.ts'
import { Schedule } from '../tools/schedule.ts'
import { sequential } from '../tools/strategies.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import type { Cut } from '../util/abort.ts'
import { childController, notNeeded } from '../util/abort.ts'
import { CallPreparation, sameCall } from './call-preparation.ts'
import type { Run } from './run.ts'
import { flagsAsWritten, scheduledCall } from './scheduled-call.ts'
import { toolEnvironment } from './tool-environment.ts'

/** A call that was started while the model was still speaking: whether it counts is not known yet. */
class EarlyCall {
  readonly call: ToolUseBlock
  /** Ends it, while it runs. */
  cut: Cut | undefined
  result: ToolResultBlock | undefined
  /** Makes its result short, once it counts: of a call that was dropped nothing goes to the result store. */
  shorten: (() => Promise<ToolResultBlock> | undefined) | undefined
  /** Tells of its end, once it is known whether it counts. */
  tellEnd: ((discarded: boolean) => void | Promise<void>) | undefined
  ended: Promise<unknown> = Promise.resolve()
  dropped = false
  readonly asked: Interrupt[] = []

  constructor(call: ToolUseBlock) {
    this.call = call
  }
}

/** The call that asks: an agent among the tools asks what its own calls ask. */
const askedIn = ({ path, toolUse }: Interrupt): string => path[0] ?? toolUse?.id ?? ''

/** May calls of this run start before their message is complete? */
export function startsEarly(run: Run): boolean {
  const { core, options } = run
  const steps = options.steps ?? core.steps
  return core.strategy.early && !options.checkpointing && steps.concurrency === 'any_order' && !core.hooks.has('beforeTools')
}

/**
 * The calls of one message, from the first that is complete to the last that has ended.
 *
 * Calls may be offered one by one while the message is being written. Those that the strategy lets begin then are provisional:
 * their results and their ends are kept back until `finish` takes them over or `discard` drops them.
 */
export class CallBatch {
  readonly #run: Run
  readonly #env: CallEnvironment
  readonly #schedule: Schedule
  readonly #preparation: CallPreparation
  readonly #calls = new Map<string, ToolUseBlock>()
  readonly #early = new Map<string, EarlyCall>()
  readonly #earlyEnv: CallEnvironment
  readonly #controller: AbortController
  readonly #release: () => void
  /** What hooks asked about calls whose message may still be withdrawn. */
  readonly #askedEarly: Interrupt[] = []
  #sealed = false
  #discarded = false
  #endTurn: { readonly text: string | undefined } | undefined

  constructor(run: Run) {
    this.#run = run
    const { controller, release } = childController(run.signal)
    this.#controller = controller
    this.#release = release
    this.#env = toolEnvironment(run, controller.signal)
    this.#earlyEnv = this.#makeEarlyEnv()
    this.#preparation = new CallPreparation(this.#earlyEnv)
    this.#schedule = new Schedule({
      strategy: this.#env.steps.concurrency === 'none' ? sequential : run.core.strategy,
      maxConcurrency: run.core.maxConcurrency,
      signal: controller.signal,
      start: (call) => this.#start(call),
    })
  }

  /** A call of a message that is still being written, in call order. */
  offer(call: ToolUseBlock): void {
    if (this.#discarded || this.#run.cancelled) return
    const index = this.#calls.size
    this.#calls.set(call.id, call)
    this.#schedule.add(this.#scheduled(call, index))
  }

  /** The message is stored, with these calls: runs to their end all that did not begin early. Results go to `run.results`. */
  async finish(calls: readonly ToolUseBlock[]): Promise<void> {
    const isOpen = ({ id }: ToolUseBlock): boolean => !this.#run.results.has(id)
    const offered = new Map(this.#calls)
    const storedById = new Map(calls.map((call) => [call.id, call]))
    try {
      for (const early of this.#early.values()) {
        const stored = storedById.get(early.call.id)
        if (stored && sameCall(early.call, stored)) continue
        await this.#drop(early)
        offered.delete(early.call.id)
      }
      const asked = this.#askedEarly.splice(0).filter((interrupt) => {
        const { id } = interrupt.toolUse!
        const stored = storedById.get(id)
        if (stored && sameCall(this.#calls.get(id)!, stored)) return true
        // Another call than the one that was asked about: it begins anew.
        offered.delete(id)
        return false
      })
      this.#calls.clear()
      for (const call of calls) this.#calls.set(call.id, call)
      this.#sealed = true
      for (const early of this.#early.values()) await this.#accept(early)
      for (const interrupt of asked) this.#env.questions.raise(interrupt)
      this.#stopIfAsked()
      if (this.#endTurn) this.#run.endTurn ??= this.#endTurn
      // The others are in the schedule already.
      const rest = calls.flatMap((call, index) => (!offered.has(call.id) && isOpen(call) ? [this.#scheduled(call, index)] : []))
      await this.#schedule.seal(rest, (call) => this.#preparation.revised(call))
    } finally {
      this.#release()
    }
  }

  /**
   * Nothing more begins. The message does not count, and neither does what began early: it is told to end, and its outcome is
   * dropped. But what a stored message asked for counts as far as it has come.
   *
   * @param stored the calls of the stored message, where there is one.
   */
  async discard(stored: readonly ToolUseBlock[] = []): Promise<void> {
    if (this.#sealed || this.#discarded) return
    this.#discarded = true
    this.#schedule.stop()
    for (const early of this.#early.values())
      early.dropped = !stored.some((call) => call.id === early.call.id && sameCall(early.call, call))
    this.#controller.abort(this.#early.size > 0 ? new Error('The message with this call was discarded.') : notNeeded)
    await this.#schedule.ended()
    for (const early of this.#early.values()) await (early.dropped ? this.#drop(early) : this.#accept(early))
    this.#release()
  }

  /**
   * A call whose flags are not known yet goes in as one that must run alone. When they come it may have been replaced, or withdrawn:
   * what counts in the end is found when it is prepared.
   */
  #scheduled(call: ToolUseBlock, index: number): ScheduledCall {
    const flags = flagsAsWritten(this.#run, call)
    if (!(flags instanceof Promise)) return scheduledCall(call, index, flags)
    const careful = scheduledCall(call, index, unknownFlags)
    void flags.then((known) => this.#schedule.revise(careful, scheduledCall(call, index, known)))
    return careful
  }

  async #start(scheduled: ScheduledCall): Promise<{ readonly again: ScheduledCall } | undefined> {
    try {
      const call = this.#calls.get(scheduled.id)
      if (!call || this.#discarded) return undefined
      const prepared = await this.#preparation.prepare(scheduled, call, !this.#sealed)
      if ('again' in prepared) return this.#sealed ? { again: this.#preparation.revised(prepared.again) } : prepared
      if (prepared.interrupted) return this.#stopIfAsked()
      // The message may have been completed, or withdrawn, while hooks looked at the call.
      const now = this.#calls.get(scheduled.id)
      if (!now || this.#discarded) return undefined
      if (!sameCall(call, now)) return { again: scheduled }
      const result = await (this.#sealed ? runCall(prepared, this.#env) : this.#startEarly(prepared))
      // Who waits for a person starts nothing new; what runs goes on to its end.
      if (!result) this.#stopIfAsked()
    } catch (error) {
      this.#run.fail(toAgentError(error, 'tool_stage_failed', `The call of ${scheduled.name} failed outside the tool`))
    }
    return undefined
  }

  /** While the message may still be withdrawn, nothing but what only reads begins anyway. */
  #stopIfAsked(): undefined {
    if (this.#sealed && this.#run.questions.hasRaised) this.#schedule.stop()
  }

  #startEarly(prepared: PreparedCall): Promise<ToolResultBlock | undefined> {
    const { toolUse } = prepared
    const early = new EarlyCall(toolUse)
    this.#early.set(toolUse.id, early)
    const running = runCall(prepared, this.#earlyEnv)
    early.ended = running.catch(() => {})
    return running
  }

  /** What a call tells is kept back until its message is stored; of one that was dropped nothing counts. */
  #makeEarlyEnv(): CallEnvironment {
    const env = this.#env
    // One that was dropped, and is gone by now, may still say something.
    const counts = (callId: string): boolean => this.#sealed && this.#early.get(callId)?.dropped === false
    const isDropped = (callId: string): boolean => this.#early.get(callId)?.dropped !== false
    return {
      // First what the other has not: Node 20 takes much longer to copy into an object that has nothing yet.
      onCut: (callId, cut) => {
        const early = this.#early.get(callId)
        if (early && !early.dropped) early.cut = cut
        else cut.abort(withdrawn())
      },
      ...env,
      early: true,
      isDiscarded: isDropped,
      questions: this.#provisionalQuestions(),
      record: (result, begun) => {
        if (isDropped(result.toolUseId)) return
        this.#early.get(result.toolUseId)!.result = result
        if (this.#sealed) env.record(result, begun)
      },
      shorten: (call, result) => {
        if (counts(call.toolUse.id)) return env.shorten(call, result)
        const early = this.#early.get(call.toolUse.id)
        if (early) early.shorten = () => env.shorten(call, result)
        return undefined
      },
      onEnd: (call, result, durationMs) => {
        if (counts(call.toolUse.id)) return env.onEnd(call, result, durationMs)
        return this.#tellLater(call, (discarded) =>
          discarded
            ? env.onDiscarded(call, result, durationMs)
            : env.onEnd(call, this.#early.get(call.toolUse.id)?.result ?? result, durationMs),
        )
      },
      onInterrupted: (call, durationMs) => {
        if (counts(call.toolUse.id)) return env.onInterrupted(call, durationMs)
        return this.#tellLater(call, () => env.onInterrupted(call, durationMs))
      },
      onLate: (call, outcome) => (isDropped(call.toolUse.id) ? undefined : env.onLate(call, outcome)),
      endTurn: (callId, text) => {
        if (isDropped(callId)) return
        if (this.#sealed) env.endTurn(callId, text)
        else this.#endTurn ??= { text }
      },
    }
  }

  #tellLater({ toolUse }: PreparedCall, tell: EarlyCall['tellEnd']): undefined {
    const early = this.#early.get(toolUse.id)
    if (!early) return
    early.cut = undefined
    early.tellEnd = tell
  }

  /** What a call asks whose message may still be withdrawn, or what is asked about it, is asked when the message is stored. */
  #provisionalQuestions(): Questions {
    const { questions } = this.#env
    return {
      answerTo: (id, input) => questions.answerTo(id, input),
      answered: (callId) => questions.answered(callId),
      now: questions.now,
      raise: (interrupt) => {
        const early = this.#early.get(askedIn(interrupt))
        if (this.#sealed && !early?.dropped) questions.raise(interrupt)
        else (early ? early.asked : this.#askedEarly).push(interrupt)
      },
    }
  }

  async #accept(early: EarlyCall): Promise<void> {
    for (const interrupt of early.asked) this.#env.questions.raise(interrupt)
    early.asked.length = 0
    if (early.result) this.#env.record(early.result, true)
    const short = await early.shorten?.()
    if (short) this.#env.record((early.result = short), true)
    const tell = early.tellEnd
    early.tellEnd = undefined
    await tell?.(false)
  }

  /** What it came to belongs to no call of the history. It only read, so it is not waited for beyond its time to settle. */
  async #drop(early: EarlyCall): Promise<void> {
    early.dropped = true
    early.cut?.abort(withdrawn())
    await early.ended
    this.#early.delete(early.call.id)
    const tell = early.tellEnd
    early.tellEnd = undefined
    await tell?.(true)
  }
}

const withdrawn = (): Error => new Error('The call was withdrawn by the model.')
