import { notNeeded } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { tick } from '../../util/clock.ts'
import type { JsonValue } from '../../util/json.ts'
import { CassetteError } from './cassette-error.ts'
import { describeEntry } from './describe-entry.ts'
import type { Difference } from './difference.ts'
import { differenceOf, shownDifference } from './difference.ts'
import type { CassetteEntry, Input, Mark } from './entries.ts'
import { isInput, receiverOf } from './entries.ts'
import { findMark } from './find-mark.ts'
import { withWholeRequests } from './request.ts'
import type { InputOptions, Tape } from './tape.ts'

type Waiter = { readonly resolve: (input: Input) => void; readonly reject: (error: Error) => void }

export type ReplayOptions = {
  /** For the watch over a replay that stands still. */
  readonly clock: Clock
  readonly timeoutMs: number
}

/**
 * Gives what was written down, in its order: an input is let in when all that stands before it has happened. The first thing that is
 * not as it was ends the replay: whoever waits is told of it, and whoever asks later.
 */
export class ReplayingTape implements Tape {
  readonly mode = 'replay'
  readonly entries: readonly CassetteEntry[]
  readonly #options: ReplayOptions
  readonly #used: boolean[] = []
  readonly #waiters = new Map<string, Waiter[]>()
  /** Of the first entry that is not used. */
  #head = 0
  #progress = 0
  #mismatch: CassetteError | undefined
  #turning: Promise<void> | undefined
  #watch: AbortController | undefined

  constructor(entries: readonly CassetteEntry[], options: ReplayOptions) {
    this.entries = withWholeRequests(entries)
    this.#options = options
  }

  /** The first thing that was not as recorded. */
  get mismatch(): CassetteError | undefined {
    return this.#mismatch
  }

  mark<M extends Mark>(mark: M): M {
    if (this.#mismatch) return mark
    const found = findMark(this.entries, this.#used, this.#head, mark)
    if ('mismatch' in found) {
      this.part(found.mismatch)
      return mark
    }
    const entry = this.entries[found.index] as M
    this.#use(found.index)
    return entry
  }

  async input(input: Input, { isVoid }: InputOptions = {}): Promise<void> {
    const entry = await this.take(receiverOf(input))
    if (!isVoid?.()) this.compare(entry, input)
  }

  note(input: Input): void {
    if (this.#mismatch) return
    const receiver = receiverOf(input)
    const index = this.entries.findIndex((entry, at) => !this.#used[at] && isInput(entry) && receiverOf(entry) === receiver)
    const entry = this.entries[index]
    if (index >= 0) this.#use(index)
    this.compare(entry as Input | undefined, input)
  }

  take(receiver: string): Promise<Input> {
    if (this.#mismatch) return Promise.reject(this.#mismatch)
    return new Promise((resolve, reject) => {
      const waiting = this.#waiters.get(receiver) ?? []
      waiting.push({ resolve, reject })
      this.#waiters.set(receiver, waiting)
      this.#pump()
    })
  }

  drop(receiver: string, reason: Error): void {
    for (const { reject } of this.#waiters.get(receiver) ?? []) reject(reason)
    this.#waiters.delete(receiver)
    this.#pump()
  }

  /** The replay is not what was recorded. */
  part(mismatch: CassetteError): void {
    this.#mismatch ??= mismatch
    for (const waiting of this.#waiters.values()) for (const { reject } of waiting) reject(this.#mismatch)
    this.#waiters.clear()
    this.#stopWatch()
  }

  async settle(): Promise<void> {
    // What a call that was given up still had to say comes behind the end of its run.
    do {
      await this.#turning
      await tick()
    } while (this.#turning)
    this.#stopWatch()
  }

  /** What of the recording was not needed. */
  unused(): CassetteError | undefined {
    const left = this.entries.filter((_, index) => !this.#used[index])
    const first = left[0]
    if (!first) return undefined
    return new CassetteError(
      `The replay ended before the recording: ${left.length} of ${this.entries.length} entries were not used. The first: ${describeEntry(first)}`,
      { code: 'cassette_unused', step: describeEntry(first) },
    )
  }

  compare(entry: Input | undefined, input: Input): void {
    const plain = JSON.parse(JSON.stringify(input)) as Input
    const difference: Difference | undefined =
      entry === undefined ? { path: '', expected: null, got: plain as unknown as JsonValue } : differenceOf(entry, plain)
    if (!difference) return
    const step = describeEntry(entry ?? plain)
    this.part(
      new CassetteError(
        `The replay parts from the recording at ${step}: ${difference.path || 'the whole'}: ${shownDifference(difference)}.`,
        {
          code: 'cassette_mismatch',
          step,
          ...difference,
        },
      ),
    )
    throw this.#mismatch
  }

  #use(index: number): void {
    this.#used[index] = true
    this.#progress++
    while (this.#used[this.#head]) this.#head++
    this.#pump()
  }

  #due(): { readonly receiver: string; readonly input: Input } | undefined {
    const head = this.entries[this.#head]
    if (!head || !isInput(head)) return undefined
    const receiver = receiverOf(head)
    return head.type === 'turn' || this.#waiters.has(receiver) ? { receiver, input: head } : undefined
  }

  #pump(): void {
    if (this.#due()) this.#turning ??= this.#turn()
    else this.#keepWatch()
  }

  async #turn(): Promise<void> {
    // A turn of the event loop is asked for right behind an input, before the run has seen it: what the run itself has to wait for a turn
    // comes behind that, as it did when the next input was on its way already.
    for (let isLetIn = true; isLetIn || this.#due();) {
      await tick()
      const due = this.#due()
      isLetIn = due !== undefined
      if (due) this.#letIn(due)
    }
    this.#turning = undefined
    this.#keepWatch()
  }

  #letIn({ receiver, input }: { readonly receiver: string; readonly input: Input }): void {
    const waiting = this.#waiters.get(receiver) ?? []
    const waiter = waiting.shift()
    if (waiting.length === 0) this.#waiters.delete(receiver)
    waiter?.resolve(input)
    this.#use(this.#head)
  }

  /** Sleepers and signals may wait for ever; whoever waits for an answer while the recording has something else, or no more, must be told so. */
  #isStuck(): boolean {
    return [...this.#waiters.keys()].some((receiver) => !/^(sleep|signal) /.test(receiver))
  }

  #keepWatch(): void {
    if (!this.#isStuck()) return this.#stopWatch()
    if (this.#watch || this.#options.timeoutMs === Infinity) return
    const watch = (this.#watch = new AbortController())
    const seen = this.#progress
    void this.#options.clock.sleep(this.#options.timeoutMs, watch.signal).then(() => {
      if (watch.signal.aborted) return
      this.#watch = undefined
      if (this.#progress === seen && this.#isStuck()) this.#standStill()
      else this.#keepWatch()
    })
  }

  #stopWatch(): void {
    this.#watch?.abort(notNeeded)
    this.#watch = undefined
  }

  #standStill(): void {
    const head = this.entries[this.#head]
    const expected = head ? describeEntry(head) : 'the end of the recording'
    const what = head ? `the recording goes on with ${expected}, which did not come` : 'the recording has ended, and no more came'
    const waiting = [...this.#waiters.keys()].filter((receiver) => !/^(sleep|signal) /.test(receiver)).join(', ')
    this.part(
      new CassetteError(`The replay stands still: ${what} within ${this.#options.timeoutMs} ms. Waiting: ${waiting}.`, {
        code: 'cassette_mismatch',
        step: expected,
        expected,
        got: waiting,
      }),
    )
  }
}
