import { tick } from '../../util/clock.ts'
import type { CassetteEntry, Input, Mark } from './entries.ts'
import { RequestChain } from './request.ts'
import type { InputOptions, Tape } from './tape.ts'

/** Writes down what comes. */
export class RecordingTape implements Tape {
  readonly mode = 'record'
  readonly entries: CassetteEntry[] = []
  readonly #queue: (() => void)[] = []
  readonly #requests = new RequestChain()
  #turning: Promise<void> | undefined

  mark<M extends Mark>(mark: M): M {
    this.entries.push(mark.type === 'model_start' ? { ...mark, request: this.#requests.shorten(mark.request) } : copyOf(mark))
    return mark
  }

  input(input: Input, { isVoid }: InputOptions = {}): Promise<void> {
    const kept = copyOf(input)
    return new Promise((resolve) => {
      this.#queue.push(() => {
        this.entries.push(isVoid?.() ? { type: 'turn' } : kept)
        resolve()
      })
      this.#turning ??= this.#turn()
    })
  }

  note(input: Input): void {
    this.entries.push(copyOf(input))
  }

  take(): Promise<Input> {
    return Promise.reject(new TypeError('there is nothing to take from a recording that is being made'))
  }

  compare(): void {}

  drop(): void {}

  async settle(): Promise<void> {
    await this.#turning
  }

  async #turn(): Promise<void> {
    while (this.#queue.length > 0) {
      await tick()
      this.#queue.shift()!()
    }
    this.#turning = undefined
  }
}

/** As it will be read again, and safe from what its owner does with it later. */
const copyOf = <T extends CassetteEntry>(entry: T): T => JSON.parse(JSON.stringify(entry)) as T
