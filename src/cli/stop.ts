import type { Io } from './io.ts'
import type { Output } from './output.ts'

/** What ended a piece of work from outside. */
export type StopCause = 'interrupt' | 'terminate' | 'hangup' | 'closed_pipe'

/** What a piece of work is told from outside while it lasts. */
export interface Stop {
  /** Fires with the first cause: the work is to end. */
  readonly signal: AbortSignal
  readonly cause: StopCause | undefined
  /** Resolves when the work is not to be waited for any longer. */
  readonly leave: Promise<void>
  /** What Ctrl-C does: the first time it cancels, the second time it leaves. */
  interrupt(): void
  /** The terminal went away, whether or not a signal said so. */
  hangUp(): void
  /** Takes all listeners away. */
  dispose(): void
}

/** How long work may take to end once the process was told to; by then its own bounds have passed. */
const graceMs = 6000

/** Listens for Ctrl-C, SIGTERM, SIGHUP, and for a reader that went away. */
export function watchForStop(io: Pick<Io, 'onSignal' | 'clock'>, out: Pick<Output, 'closed'>): Stop {
  const controller = new AbortController()
  const disposed = new AbortController()
  let cause: StopCause | undefined
  let leave!: () => void
  const left = new Promise<void>((resolve) => (leave = resolve))

  const begin = (next: StopCause): void => {
    cause = next
    controller.abort(new Error(reasons[next]))
  }
  const interrupt = (): void => (cause === undefined ? begin('interrupt') : leave())
  /** The process is to go: it waits for the work only so long. */
  const end = (next: StopCause): void => {
    // After a Ctrl-C this is more than the same again: the conversation is over too.
    if (cause !== undefined && cause !== 'interrupt') return leave()
    begin(next)
    void io.clock.sleep(graceMs, disposed.signal).then(leave)
  }
  const onClosed = (): void => end('closed_pipe')
  const offs = [
    io.onSignal('SIGINT', interrupt),
    io.onSignal('SIGTERM', () => end('terminate')),
    io.onSignal('SIGHUP', () => end('hangup')),
  ]
  if (out.closed.aborted) onClosed()
  else out.closed.addEventListener('abort', onClosed, { once: true })

  return {
    signal: controller.signal,
    get cause() {
      return cause
    },
    leave: left,
    interrupt,
    hangUp: () => end('hangup'),
    dispose() {
      disposed.abort()
      out.closed.removeEventListener('abort', onClosed)
      for (const off of offs) off()
    },
  }
}

/** Why there is no result, for a program that waits for one. */
export const stoppedError = ({ cause = 'interrupt' }: Pick<Stop, 'cause'>): Error =>
  Object.assign(new Error(`There is no result: ${reasons[cause]}.`), { code: 'cancelled' })

const reasons: Readonly<Record<StopCause, string>> = {
  interrupt: 'cancelled by the user',
  terminate: 'the process was told to end (SIGTERM)',
  hangup: 'the terminal was closed (SIGHUP)',
  closed_pipe: 'nobody reads the output any more',
}
