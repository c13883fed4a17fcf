import { onAbort, reasonOf } from '../../util/abort.ts'

/** A number of places, for those who are at work at once. */
export interface Places {
  /**
   * Takes a place, and gives what frees it. Nothing when all are taken and one must not wait; else in the order of asking.
   *
   * @throws the reason of the signal, when it fires first.
   */
  take(mayWait: boolean, signal: AbortSignal): Promise<(() => void) | undefined>
}

export function placesOf(count: number): Places {
  let taken = 0
  const waiting = new Set<() => void>()
  const free = (): (() => void) => {
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      taken--
      const [next] = waiting
      if (next) next()
    }
  }
  return {
    async take(mayWait, signal) {
      if (signal.aborted) throw reasonOf(signal)
      if (taken >= count) {
        if (!mayWait) return undefined
        await new Promise<void>((resolve, reject) => {
          const off = onAbort(signal, () => {
            waiting.delete(come)
            reject(reasonOf(signal))
          })
          const come = (): void => {
            waiting.delete(come)
            off()
            // Taken here, so that nobody who comes now is before.
            taken++
            resolve()
          }
          waiting.add(come)
        })
        return free()
      }
      taken++
      return free()
    },
  }
}
