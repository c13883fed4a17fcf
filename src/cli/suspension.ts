import type { Io, SuspendListener } from './io.ts'

/** How long the system may take to stop the process. The time does not go on while it is stopped. */
const stopMs = 100

/** What stopping and going on is for this process: by Ctrl-Z as a key, and by SIGTSTP from outside, which means the same. */
export function suspension(): Required<Pick<Io, 'suspend' | 'onSuspend'>> {
  const listeners = new Set<SuspendListener>()
  let stopping: Promise<void> | undefined

  /** @param target the process, or 0: its whole group, as the terminal itself would stop it, so that a shell that waits for it gets its prompt back. */
  const stop = (target: number): Promise<void> => (stopping ??= stopAndGoOn(target).finally(() => (stopping = undefined)))
  const stopAndGoOn = async (target: number): Promise<void> => {
    for (const listener of [...listeners].reverse()) listener.suspended()
    // With nobody listening the signal does what it is for.
    process.off('SIGTSTP', onStop)
    try {
      process.kill(target, 'SIGTSTP')
      // Not at SIGCONT: without a shell that could let it go on, the system does not stop it at all.
      await new Promise((resolve) => setTimeout(resolve, stopMs))
      // A SIGCONT that came meanwhile is heard first, so that it is not taken for another one.
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      if (listeners.size > 0) process.on('SIGTSTP', onStop)
      for (const listener of listeners) listener.resumed()
    }
  }
  const onStop = (): void => void stop(process.pid)
  /** It was stopped in a way that nobody is told of (SIGSTOP), and somebody else has used the terminal meanwhile. */
  const onContinue = (): void => {
    if (stopping) return
    for (const listener of listeners) listener.resumed()
  }

  return {
    suspend: () => stop(0),
    onSuspend(listener) {
      if (listeners.size === 0) {
        if (!stopping) process.on('SIGTSTP', onStop)
        process.on('SIGCONT', onContinue)
      }
      listeners.add(listener)
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        process.off('SIGTSTP', onStop)
        process.off('SIGCONT', onContinue)
      }
    },
  }
}
