import { ConcurrentInvocationError, IdempotencyError } from '../errors.ts'
import { isWithin, within } from '../util/call-chain.ts'
import type { AgentCore } from './core.ts'
import type { Emit } from './events.ts'
import { runInvocation } from './invocation.ts'
import type { CheckedInvokeOptions } from './invoke-options.ts'
import { joinRun } from './join-run.ts'
import { listener } from './listener.ts'
import { checkResponses } from './questions.ts'
import type { ReadInput } from './read-input.ts'
import type { AgentResult } from './result.ts'
import { Run } from './run.ts'
import type { RunControl } from './stream.ts'

/** The gate of an agent: one run at a time, as two would mix their messages. */
export class OneAtATime {
  readonly #core: AgentCore
  /** The run under way. */
  run: Run | undefined
  /** The same, for those who come with its token. */
  #under: { readonly token: string; readonly result: Promise<AgentResult> } | undefined

  constructor(core: AgentCore) {
    this.#core = core
  }

  /**
   * @throws {ConcurrentInvocationError} while something runs, unless that carries the same token: then its result is waited for;
   * {IdempotencyError} `waits_for_itself` where that run is the one which calls.
   */
  async invoke(
    input: ReadInput,
    options: CheckedInvokeOptions,
    reader: Emit | undefined,
    onStart: (run: RunControl) => void,
  ): Promise<AgentResult> {
    const under = this.#under
    const { idempotencyToken: token } = options
    if (under && token !== undefined && under.token === token) {
      if (this.run && isWithin(this.run)) throw waitsForItself(token)
      return joinRun({ id: this.run?.id ?? '', result: under.result }, options, reader, onStart)
    }
    const { log, session, pending } = this.#core
    // Of a session that is not open yet nobody knows what is pending.
    if (input.kind === 'responses' && !this.run && (log || !session)) checkResponses(pending, input.responses)
    const result = this.occupy(options, (run) => {
      run.emit = both(reader, options.onEvent && listener(run, options.onEvent))
      onStart(run)
      // Only a run with a token can be waited for, so only of such a one it must be known what belongs to it.
      return token === undefined ? runInvocation(run, input) : within(run, () => runInvocation(run, input))
    })
    if (token !== undefined && !under) this.#under = { token, result }
    try {
      return await result
    } finally {
      if (this.#under?.result === result) this.#under = undefined
    }
  }

  /** @throws {ConcurrentInvocationError} while something runs. */
  async occupy<T>(options: CheckedInvokeOptions, work: (run: Run) => Promise<T>): Promise<T> {
    if (this.run)
      throw new ConcurrentInvocationError('This agent is running. One invocation at a time: wait for it, cancel it, or use a second agent.')
    const run = new Run(this.#core, options)
    this.run = run
    try {
      return await work(run)
    } finally {
      run.dispose()
      this.run = undefined
    }
  }

  /** False when nobody listens: what a provider says between two runs is told in the next. */
  tell(code: string, message: string): boolean {
    if (!this.run?.emit) return false
    void this.run.warn(code, message)
    return true
  }
}

const waitsForItself = (token: string): IdempotencyError =>
  new IdempotencyError(
    `The run with the token "${token}" would wait for itself: a hook, a tool or a listener of it invokes its agent with the same token. Give another agent the work, or call this one when its run is over.`,
    { code: 'waits_for_itself' },
  )

/** Events go to the reader of the stream and to `onEvent`, where there are both. */
function both(reader: Emit | undefined, listening: Emit | undefined): Emit | undefined {
  if (!reader || !listening) return reader ?? listening
  return (event) => {
    const heard = listening(event)
    const read = reader(event)
    return heard && read ? Promise.all([heard, read]).then(() => {}) : (heard ?? read)
  }
}
