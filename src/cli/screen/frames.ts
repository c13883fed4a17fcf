import type { Clock } from '../../index.ts'
import type { Output } from '../output.ts'

/** Two frames lie at least so far apart, and at least three times what the last one has cost. */
const frameMs = 33
/** … and no farther than this, whatever the clock says. */
const longestGapMs = 2000
const spinMs = 120
const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export type FramesOptions = {
  readonly out: Output
  readonly clock: Clock
  /** Draws one. */
  readonly draw: (now: number) => void
  /** Somebody else is about to write. */
  readonly onTurn: () => void
}

/** When the screen of a run is drawn: a moment after something has changed, at once when the window did, and so that what moves moves. */
export class Frames {
  readonly #options: FramesOptions
  /** Ends the frames of the run that is shown. */
  #running: AbortController | undefined
  #startedAt = 0
  #isDue = false
  #nextAt = 0
  #gapMs = frameMs

  constructor(options: FramesOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Milliseconds since it was started. */
  elapsed(now: number): number {
    // A clock that was put back has no time for it.
    return Math.max(0, now - this.#startedAt)
  }

  /** What turns while something is waited for. */
  sign(now: number): string {
    return spinner[Math.floor(this.elapsed(now) / spinMs) % spinner.length]!
  }

  start(): void {
    const { out, clock, onTurn } = this.#options
    this.stop()
    this.#startedAt = clock.now()
    const running = new AbortController()
    this.#running = running
    const off = out.onResize(() => {
      this.#nextAt = 0
      this.#draw()
    })
    const offTurn = out.onTurn(onTurn)
    running.signal.addEventListener(
      'abort',
      () => {
        off()
        offTurn()
      },
      { once: true },
    )
    void this.#spin(running.signal)
    this.#draw()
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
  }

  /** There is something new to be seen: in the next frame, which may be at once. */
  changed(): void {
    const { clock } = this.#options
    const signal = this.#running?.signal
    if (!signal) return
    const wait = Math.min(this.#nextAt - clock.now(), this.#gapMs)
    if (wait <= 0) return this.#draw()
    if (this.#isDue) return
    this.#isDue = true
    void clock.sleep(wait, signal).then(() => {
      this.#isDue = false
      if (!signal.aborted) this.#draw()
    })
  }

  async #spin(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(spinMs, signal)
      if (signal.aborted) return
      this.#draw()
    }
  }

  #draw(): void {
    const { clock, draw } = this.#options
    const began = clock.now()
    draw(began)
    const ended = clock.now()
    this.#gapMs = Math.min(Math.max(frameMs, 3 * (ended - began)), longestGapMs)
    this.#nextAt = ended + this.#gapMs
  }
}
