import { ConcurrentInvocationError } from '../errors.ts'
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

  /** @throws {ConcurrentInvocationError} while something runs, unless that carries the same token: then its result is waited for. */
  async invoke(
    input: ReadInput,
    options: CheckedInvokeOptions,
    reader: Emit | undefined,
    onStart: (run: RunControl) => void,
  ): Promise<AgentResult> {
    const under = this.#under
    if (under && options.idempotencyToken !== undefined && under.token === options.idempotencyToken)
      return joinRun({ id: this.run?.id ?? '', result: under.result }, options, reader, onStart)
    const { log, session, pending } = this.#core
    // Of a session that is not open yet nobody knows what is pending.
    if (input.kind === 'responses' && !this.run && (log || !session)) checkResponses(pending, input.responses)
    const result = this.occupy(options, (run) => {
      run.emit = both(reader, options.onEvent && listener(run, options.onEvent))
      onStart(run)
      return runInvocation(run, input)
    })
    if (options.idempotencyToken !== undefined && !under) this.#under = { token: options.idempotencyToken, result }
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

/** Events go to the reader of the stream and to `onEvent`, where there are both. */
function both(reader: Emit | undefined, listening: Emit | undefined): Emit | undefined {
  if (!reader || !listening) return reader ?? listening
  return (event) => {
    const heard = listening(event)
    const read = reader(event)
    return heard && read ? Promise.all([heard, read]).then(() => {}) : (heard ?? read)
  }
}
