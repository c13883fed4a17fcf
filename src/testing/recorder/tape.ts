import type { CassetteEntry, Input, Mark } from './entries.ts'

export type InputOptions = {
  /** Asked when it is the input's turn: nobody waits for it any more, so it is not kept. */
  readonly isVoid?: (() => boolean) | undefined
}

/**
 * What stands between a run and the outside. Inputs are let in one by one, each in a turn of the event loop of its own, so that what
 * follows from one has happened before the next: with that alone the order of a recording is one that a replay can keep.
 */
export interface Tape {
  readonly mode: 'record' | 'replay'
  /** Notes what the run does. In a replay gives what the recording has there. */
  mark<M extends Mark>(mark: M): M
  /** Resolves when it is the input's turn. In a replay it must be what the recording has. */
  input(input: Input, options?: InputOptions): Promise<void>
  /** An input that comes in passing, as what a running tool says without waiting. It has no turn of its own. */
  note(input: Input): void
  /** In a replay: the next input of this receiver, when it is its turn. */
  take(receiver: string): Promise<Input>
  /** In a replay: has what was taken come to the same? Throws when not. */
  compare(recorded: Input, got: Input): void
  /** Nobody waits for inputs of this receiver any more. */
  drop(receiver: string, reason: Error): void
  /** Everything so far, or all that there is to replay. */
  readonly entries: readonly CassetteEntry[]
  /** What is on its way is let in. */
  settle(): Promise<void>
}
