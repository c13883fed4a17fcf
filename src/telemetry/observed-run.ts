import type { AgentResult } from '../agent/result.ts'
import type { AgentError } from '../errors.ts'
import type { HookBase, HookEvent } from '../hooks/hooks.ts'
import { names, ownNames, providerNameOf } from './conventions.ts'
import type { ModelCall } from './model-call.ts'
import type { ObserverOptions } from './observation.ts'
import { cancelledError, errorOf, finishReasons, toldError, usageAttributes } from './observation.ts'
import type { OpenSpan, Place, Recorder } from './span.ts'
import type { ToolCall } from './tool-call.ts'

/** One run while it lasts: its span, and what is open in it. A direct call of a tool has no span around it. */
export class ObservedRun {
  readonly agentName: string
  readonly signal: AbortSignal
  readonly conversationId: string
  readonly span: OpenSpan | undefined
  /** The attempt that is under way, or whose outcome has yet to be told. */
  modelCall: ModelCall | undefined
  readonly toolCalls = new Map<string, ToolCall>()
  /** Where its spans hang. */
  readonly place: Place
  turn = 0
  #recorder: Recorder
  #options: ObserverOptions
  #outcome: { readonly result: AgentResult | undefined; readonly error: AgentError | undefined } | undefined
  /** A hook behind the first that was called threw, when this one was not called. */
  #hooksEnded = true
  #closed = false

  constructor(
    recorder: Recorder,
    options: ObserverOptions,
    base: HookBase,
    begin: HookEvent<'beforeInvocation'> | undefined,
    link?: OpenSpan,
  ) {
    this.#recorder = recorder
    this.#options = options
    this.agentName = base.agent.name
    this.signal = base.signal
    this.conversationId = base.conversationId
    this.span = begin && this.#begin(base, begin, link)
    this.place = this.span ? this.span.place : recorder.here()
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Does it wait for somebody who goes on with it? */
  get waits(): boolean {
    const reason = this.#outcome?.result?.stopReason
    return reason === 'interrupt' || reason === 'checkpoint'
  }

  /** Before the hooks that follow a pass. */
  outcome({ result, error }: HookEvent<'afterInvocation'>): void {
    this.#outcome = { result, error }
    this.#hooksEnded = false
  }

  /** Behind those hooks: the last of the run, unless one of them has it go on. */
  hooksEnded({ resume }: HookEvent<'afterInvocation'>): void {
    this.#hooksEnded = true
    if (resume === undefined) this.close()
    else this.#outcome = undefined
  }

  /** Ends what is still open, and itself. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    const open = [...(this.modelCall ? [this.modelCall] : []), ...this.toolCalls.values()]
    this.modelCall = undefined
    this.toolCalls.clear()
    const errors = open.flatMap((call) => thrownBy(() => call.abandon()))
    this.#end()
    if (errors.length > 0) throw errors[0]
  }

  #end(): void {
    if (!this.span) return
    const { result, error } = this.#outcome ?? {}
    const { contents, conventions } = this.#options
    if (contents && result && this.span.isRecording)
      this.span.set({
        [names.outputMessages]: contents.messages(names.outputMessages, [result.message], result.message.metadata?.stopReason),
      })
    this.span.set({
      [names.finishReasons]: finishReasons(result?.message.metadata?.stopReason),
      ...usageAttributes(result?.usage ?? error?.partial?.usage, conventions),
      [ownNames.stopReason]: result?.stopReason,
      [ownNames.cost]: result?.metrics.cost,
    })
    const failure = error && errorOf(error)
    const unsaid = this.#outcome ? undefined : this.signal.aborted ? cancelledError(this.signal) : { type: 'run_failed' }
    const hookFailed = this.#hooksEnded || this.signal.aborted ? undefined : { type: 'hook_failed' }
    this.span.end({ at: this.#recorder.now(), error: toldError(failure ?? hookFailed ?? unsaid, contents) })
  }

  #begin({ agent, model, conversationId }: HookBase, { messages }: HookEvent<'beforeInvocation'>, link: OpenSpan | undefined): OpenSpan {
    const span = this.#recorder.begin({
      operation: 'invoke_agent',
      name: `invoke_agent ${agent.name}`,
      kind: 'internal',
      at: this.#recorder.now(),
      parent: this.#recorder.here(),
      link,
      attributes: {
        [names.operation]: 'invoke_agent',
        [names.provider]: model && providerNameOf(model.provider),
        [names.requestModel]: model?.id,
        [names.agentName]: agent.name,
        [names.agentDescription]: agent.description || undefined,
        [names.conversation]: conversationId,
      },
    })
    const { contents } = this.#options
    if (contents && span.isRecording && messages.length > 0)
      span.set({ [names.inputMessages]: contents.messages(names.inputMessages, messages as Parameters<typeof contents.messages>[1]) })
    return span
  }
}

/** What one span's taker throws keeps no other from its end. */
function thrownBy(fn: () => void): readonly unknown[] {
  try {
    fn()
    return []
  } catch (error) {
    return [error]
  }
}
