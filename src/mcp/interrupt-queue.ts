import type { ToolContext } from '../tools/tool.ts'
import { childController, notNeeded, onAbort, reasonOf, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { McpElicitation, McpElicitationAnswer } from './options.ts'
import { answerFrom } from './server-questions.ts'

/** The call that is under way. `isOver`: it was interrupted, and ends, or the server has answered it. */
type Current = { readonly context: ToolContext; readonly leave: (thrown: unknown) => void; isOver: boolean }

/** How long a server may take to end a call whose question was answered with "cancel". Then it is told to. */
const endMs = 5000

/**
 * Calls that may be interrupted by a question of the server, one after another: the protocol does not say to which call a
 * question belongs.
 */
export class InterruptQueue {
  readonly #clock: Clock
  #last: Promise<void> = Promise.resolve()
  #current: Current | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs a call when it is its turn. An interrupt is thrown on at once; the next call waits until the server has ended this one. */
  async run<T>(context: ToolContext, call: (signal: AbortSignal, onAnswer: () => void) => Promise<T>): Promise<T> {
    const before = this.#last
    let done = (): void => {}
    this.#last = new Promise((resolve) => (done = resolve))
    try {
      await turn(before, context.signal)
    } catch (error) {
      // One that gave up waiting lets the next wait for the one before it.
      void before.then(done)
      throw error
    }
    const { controller, release } = childController(context.signal)
    let left: { readonly thrown: unknown } | undefined
    let leave = (): void => {}
    const leaving = new Promise<void>((resolve) => (leave = resolve))
    const current: Current = {
      context,
      isOver: false,
      leave: (thrown) => {
        left = { thrown }
        leave()
      },
    }
    this.#current = current
    const calling = settle(call(controller.signal, () => void (current.isOver = true)))
    await Promise.race([calling, leaving])
    release()
    void this.#ended(calling, controller).then(done)
    if (left) throw left.thrown
    const outcome = await calling
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }

  /** Asks by way of the call that is under way: gives the answer where there is one, else the call ends. */
  ask(question: McpElicitation): McpElicitationAnswer {
    const current = this.#current
    // Of a call that was answered nothing may be asked: it would be made again with the answer.
    if (!current || current.isOver) return { action: 'cancel' }
    try {
      return answerFrom(current.context.interrupt({ name: 'elicitation', reason: question }))
    } catch (thrown) {
      current.isOver = true
      current.leave(thrown)
      return { action: 'cancel' }
    }
  }

  /** Waits for the end of the call, so that a question of this one is not taken for one of the next. */
  async #ended(calling: Promise<unknown>, controller: AbortController): Promise<void> {
    const timer = new AbortController()
    await Promise.race([calling, this.#clock.sleep(endMs, timer.signal)])
    timer.abort(notNeeded)
    controller.abort(new Error('The call was interrupted to ask a person.'))
    this.#current = undefined
  }
}

function turn(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(reasonOf(signal)))
    void before.then(() => {
      off()
      resolve()
    })
  })
}
