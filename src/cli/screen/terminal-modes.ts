import type { InputStream, OutputStream } from '../io.ts'
import { undoAtEnd } from './restore.ts'

/** Pasted text marked as such, on and off. */
const paste = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const
/** What may have been begun when the end came: an update that is held back, a hidden cursor, a colour. */
const begun = '\u001b[?2026l\u001b[?25h\u001b[0m'

/**
 * What is changed about a terminal while keys are read: raw, so that each key comes at once and is not echoed, with pasted text
 * marked as such. There is one way back, whoever takes it.
 */
export class TerminalModes {
  readonly #input: InputStream
  readonly #output: OutputStream
  #off: (() => void) | undefined

  constructor(input: InputStream, output: OutputStream) {
    this.#input = input
    this.#output = output
  }

  /** @returns whether that changed anything. */
  enter(): boolean {
    if (this.#off) return false
    this.#off = undoAtEnd(() => this.leave(begun))
    this.#input.setRawMode?.(true)
    this.#output.write(paste.on)
    return true
  }

  leave(more = ''): void {
    if (!this.#off) return
    this.#off()
    this.#off = undefined
    // That both are tried matters: the one may fail without the other.
    try {
      this.#output.write(more + paste.off)
    } finally {
      this.#input.setRawMode?.(false)
    }
  }
}
