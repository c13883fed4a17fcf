import type { OutputStream } from '../io.ts'
import type { LineRead } from '../line-reader.ts'
import { Editor } from './editor.ts'
import type { EditorOptions } from './editor.ts'
import type { Key } from './keys.ts'
import { LiveRegion } from './live-region.ts'
import { undoAtEnd } from './restore.ts'

export type EditedLineOptions = Omit<EditorOptions, 'past'> & {
  readonly output: OutputStream
  readonly past: () => readonly string[]
  /** The line is over. What was typed behind it is not taken. */
  readonly onEnd: (read: LineRead, rest: readonly Key[]) => void
  /** Ctrl-Z was pressed. What was typed behind it is not taken. */
  readonly onSuspend: (rest: readonly Key[]) => void
}

/** A line that is typed, on the screen: takes keys, and shows what they make of it in the rows below all else. */
export class EditedLine {
  readonly #options: EditedLineOptions
  readonly #region = new LiveRegion()
  readonly #off: readonly (() => void)[]
  #editor: Editor

  constructor(options: EditedLineOptions) {
    this.#options = options
    this.#editor = this.#begin()
    const { output } = options
    const onResize = (): void => this.draw()
    output.on('resize', onResize)
    this.#off = [undoAtEnd(() => void output.write(this.#region.finish())), () => void output.off('resize', onResize)]
  }

  take(keys: readonly Key[]): void {
    const { output, onEnd, onSuspend } = this.#options
    for (const [index, key] of keys.entries()) {
      const end = this.#editor.press(key)
      if (end === undefined) continue
      const rest = keys.slice(index + 1)
      switch (end) {
        case 'line':
          return onEnd({ kind: 'line', text: this.#editor.text }, rest)
        case 'end':
        case 'interrupt':
          return onEnd({ kind: end }, [])
        case 'given_up':
          // As shells do: what was typed is given up, and a new line begins.
          this.draw(true)
          output.write('^C')
          output.write(this.#region.finish())
          this.#editor = this.#begin()
          break
        case 'clear_screen':
          this.#region.forget()
          output.write('\u001b[H\u001b[2J')
          break
        case 'suspend':
          return onSuspend(rest)
      }
    }
    this.draw()
  }

  /** @param isOver without what only helps to write it. */
  draw(isOver = false): void {
    const { output } = this.#options
    const { rows, cursor } = this.#editor.view(this.#columns - 1, isOver ? Infinity : output.rows || 24, isOver)
    output.write(this.#region.draw(rows, this.#columns, cursor))
  }

  erase(): void {
    this.#options.output.write(this.#region.erase(this.#columns))
  }

  /** Where the cursor is now: what stands above may be another program's. */
  drawAnew(): void {
    this.#region.forget()
    this.#options.output.write('\r\u001b[J')
    this.draw()
  }

  /** Leaves it on the screen as it was read; the cursor stands below it. */
  finish(): void {
    for (const off of this.#off) off()
    this.draw(true)
    this.#options.output.write(this.#region.finish())
  }

  get #columns(): number {
    return this.#options.output.columns || 80
  }

  #begin(): Editor {
    return new Editor({ ...this.#options, past: this.#options.past() })
  }
}
