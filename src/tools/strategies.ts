/** A call as a strategy sees it. */
export type ScheduledCall = {
  readonly id: string
  /** Its place in the message. */
  readonly index: number
  readonly name: string
  readonly readOnly: boolean
  /** A string is a key: calls of one key never run together. */
  readonly safe: boolean | string
}

export type ScheduleView = {
  /** Calls that have not started, in call order. */
  readonly waiting: readonly ScheduledCall[]
  readonly running: readonly ScheduledCall[]
  /** Is the message complete, so that no more calls can come? */
  readonly sealed: boolean
  readonly maxConcurrency: number
}

/**
 * Which waiting calls may start now. Pure: asked whenever a call arrives, a call settles, or the message is complete. How one
 * call runs is not its business.
 */
export type ToolStrategy = {
  readonly name: string
  /** May it start calls before the message is complete? */
  readonly early: boolean
  next(view: ScheduleView): readonly ScheduledCall[]
}

/**
 * Neighbouring safe calls together, any other call alone and in its place: no call overtakes an unsafe one before it, calls of
 * one key run one after another. A call that only reads does not overtake a keyed one before it that changes something, nor
 * the other way round: what is read is what the calls before it left.
 */
export const scheduled: ToolStrategy = {
  name: 'scheduled',
  early: true,
  next({ waiting, running, sealed, maxConcurrency }) {
    const start: ScheduledCall[] = []
    const ahead = new Ahead(running)
    if (ahead.unsafe) return start
    for (const call of waiting) {
      if (running.length + start.length >= maxConcurrency) break
      if (call.safe === false) {
        // Alone, and only when all before it have ended.
        if (sealed && call === waiting[0] && running.length === 0) start.push(call)
        break
      }
      // A call that waits holds its place against those behind it.
      if (ahead.lets(call) && (sealed || call.readOnly)) start.push(call)
      ahead.add(call)
    }
    return start
  },
}

/** What stands before a call: the calls that run, and those that wait in front of it. */
class Ahead {
  readonly #keys = new Set<string>()
  #reader = false
  #writer = false
  unsafe = false

  constructor(running: readonly ScheduledCall[]) {
    for (const call of running) this.add(call)
  }

  add({ safe, readOnly }: ScheduledCall): void {
    if (safe === false) this.unsafe = true
    else if (safe !== true) this.#keys.add(safe)
    if (safe === true && readOnly) this.#reader = true
    if (typeof safe === 'string' && !readOnly) this.#writer = true
  }

  lets({ safe, readOnly }: ScheduledCall): boolean {
    if (typeof safe === 'string') return !this.#keys.has(safe) && (readOnly || !this.#reader)
    return !readOnly || !this.#writer
  }
}

/** All calls together, as many as the cap allows, whatever their flags. */
export const concurrent: ToolStrategy = {
  name: 'concurrent',
  early: false,
  next: ({ waiting, running, sealed, maxConcurrency }) => (sealed ? waiting.slice(0, Math.max(0, maxConcurrency - running.length)) : []),
}

/** One call after the other, in call order. */
export const sequential: ToolStrategy = {
  name: 'sequential',
  early: false,
  next: ({ waiting, running, sealed }) => (sealed && running.length === 0 ? waiting.slice(0, 1) : []),
}
