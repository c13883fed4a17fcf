import { showControls } from '../sanitise.ts'
import { EditBuffer } from './edit-buffer.ts'
import type { View } from './editor-view.ts'
import { asSent, choices, viewOf } from './editor-view.ts'
import type { Key } from './keys.ts'

/**
 * What could stand at the end of the text, in the place of its last word: each choice whole, for example `/help` for `/he`, or
 * `@src/index.ts` for `@src/in`. A choice that ends in `/` goes on.
 */
export type Completions = (text: string) => readonly string[]

export type EditorOptions = {
  readonly prompt: string
  /** An answer to a question: one line, without history and completion. */
  readonly isAnswer: boolean
  /** What was typed before, oldest first. */
  readonly past: readonly string[]
  readonly completions?: Completions | undefined
  readonly dim: (text: string) => string
}

/** What a key led to, beyond another text: the line, Ctrl-D, Ctrl-C, Ctrl-Z, Ctrl-L, or a text that was given up with Ctrl-C. */
export type EditorEnd = 'line' | 'end' | 'interrupt' | 'suspend' | 'clear_screen' | 'given_up'

type Search = { readonly query: string; readonly found: number | undefined; readonly before: string }
type Completing = { readonly from: number; readonly all: readonly string[]; readonly chosen: number | undefined }

/** A text that is typed: takes keys, and says how it looks. Writes nothing itself. */
export class Editor {
  readonly #options: EditorOptions
  readonly #buffer = new EditBuffer()
  /** Where in the past it is; the past's length is what is being written now. */
  #at: number
  #draft = ''
  #search: Search | undefined
  #completing: Completing | undefined

  constructor(options: EditorOptions) {
    this.#options = options
    this.#at = options.past.length
  }

  get text(): string {
    return this.#buffer.text
  }

  press(key: Key): EditorEnd | undefined {
    if (this.#search) {
      const taken = this.#pressInSearch(this.#search, key)
      if (taken) return undefined
    }
    const completing = this.#completing
    this.#completing = undefined
    if (key.name === 'tab' || key.name === 'shift-tab') return this.#complete(completing, key.name === 'tab' ? 1 : -1)
    return this.#command(key)
  }

  /** @param isOver the line was read: it is shown without what only helps to write it. */
  view(width: number, height: number, isOver = false): View {
    const { dim } = this.#options
    const search = isOver ? undefined : this.#search
    const completing = isOver ? undefined : this.#completing
    const below: string[] = []
    if (search) {
      const none = search.found === undefined && search.query !== '' ? ', nothing found' : ''
      below.push(dim(showControls(`search: ${search.query}${none}`).slice(0, width)))
    }
    if (completing && completing.all.length > 1)
      below.push(...choices(completing.all, completing.chosen, width, (count) => `… ${count} more`).map(dim))
    const text = isOver ? asSent(this.#buffer.text) : this.#buffer.text
    return viewOf({
      prompt: this.#options.prompt,
      text,
      cursor: isOver ? text.length : this.#buffer.cursor,
      below,
      width,
      height,
    })
  }

  #command({ name, text = '' }: Key): EditorEnd | undefined {
    const buffer = this.#buffer
    const { isAnswer } = this.#options
    switch (name) {
      case 'text':
        return void buffer.insert(text)
      case 'paste':
        return void buffer.insert(isAnswer ? text.replaceAll(/\s*\n\s*/g, ' ').trim() : text)
      case 'enter':
        if (isAnswer || !buffer.text.slice(0, buffer.cursor).endsWith('\\')) return 'line'
        return void buffer.replaceLeft(buffer.cursor - 1, '\n')
      case 'alt-enter':
      case 'shift-enter':
      case 'ctrl-j':
        return isAnswer ? 'line' : void buffer.insert('\n')
      case 'ctrl-c':
        return isAnswer || buffer.text === '' ? 'interrupt' : 'given_up'
      case 'ctrl-d':
        return buffer.text === '' ? 'end' : void buffer.delete()
      case 'ctrl-z':
        return 'suspend'
      case 'ctrl-l':
        return 'clear_screen'
      case 'up':
        return buffer.up() ? undefined : this.#travel(-1)
      case 'down':
        return buffer.down() ? undefined : this.#travel(1)
      case 'ctrl-p':
      case 'page-up':
        return this.#travel(-1)
      case 'ctrl-n':
      case 'page-down':
        return this.#travel(1)
      case 'ctrl-r':
        if (!isAnswer) this.#search = { query: '', found: undefined, before: buffer.text }
        return undefined
      default:
        movements[name]?.(buffer)
        return undefined
    }
  }

  #travel(step: -1 | 1): undefined {
    const { past, isAnswer } = this.#options
    const next = this.#at + step
    if (isAnswer || next < 0 || next > past.length) return
    if (this.#at === past.length) this.#draft = this.#buffer.text
    this.#at = next
    this.#buffer.set(past[next] ?? this.#draft)
  }

  /** True when the key belonged to the search. Any other key ends it and does what it does. */
  #pressInSearch(search: Search, { name, text = '' }: Key): boolean {
    switch (name) {
      case 'text':
      case 'paste':
        this.#find(search, `${search.query}${text.replaceAll('\n', ' ')}`, search.found ?? this.#options.past.length - 1)
        return true
      case 'backspace':
        this.#find(search, search.query.slice(0, -1), this.#options.past.length - 1)
        return true
      case 'ctrl-r':
        this.#find(search, search.query, (search.found ?? this.#options.past.length) - 1)
        return true
      case 'ctrl-g':
      case 'ctrl-c':
        this.#buffer.set(search.before)
        this.#search = undefined
        return true
      case 'escape':
        this.#search = undefined
        return true
      default:
        this.#search = undefined
        return false
    }
  }

  #find(search: Search, query: string, from: number): void {
    const { past } = this.#options
    let found: number | undefined
    for (let at = from; at >= 0 && query !== '' && found === undefined; at--) if (past[at]!.includes(query)) found = at
    // Nothing older: what was found stays.
    const kept = found ?? (query === search.query ? search.found : undefined)
    this.#search = { ...search, query, found: kept }
    if (kept !== undefined) {
      this.#at = kept
      this.#buffer.set(past[kept]!)
    }
  }

  #complete(completing: Completing | undefined, step: 1 | -1): undefined {
    const { completions, isAnswer } = this.#options
    const buffer = this.#buffer
    if (isAnswer || !completions) return
    if (completing && completing.all.length > 1) {
      const count = completing.all.length
      const chosen = completing.chosen === undefined ? (step === 1 ? 0 : count - 1) : (completing.chosen + step + count) % count
      buffer.replaceLeft(completing.from, completing.all[chosen]!)
      this.#completing = { ...completing, chosen }
      return
    }
    const before = buffer.text.slice(0, buffer.cursor)
    const from = lastWord(before)
    if (from === undefined) return
    const word = before.slice(from)
    const all = completions(before).filter((choice) => choice.startsWith(word))
    if (all.length === 0) return
    const common = all.reduce(commonStart)
    const ends = all.length === 1 && !common.endsWith('/') && buffer.cursor === buffer.text.length
    if (common !== word || ends) buffer.replaceLeft(from, ends ? `${common} ` : common)
    this.#completing = { from, all, chosen: undefined }
  }
}

const movements: Readonly<Record<string, (buffer: EditBuffer) => void>> = {
  left: (buffer) => buffer.left(),
  'ctrl-b': (buffer) => buffer.left(),
  right: (buffer) => buffer.right(),
  'ctrl-f': (buffer) => buffer.right(),
  home: (buffer) => buffer.lineStart(),
  'ctrl-a': (buffer) => buffer.lineStart(),
  end: (buffer) => buffer.lineEnd(),
  'ctrl-e': (buffer) => buffer.lineEnd(),
  'alt-b': (buffer) => buffer.wordLeft(),
  'ctrl-left': (buffer) => buffer.wordLeft(),
  'alt-left': (buffer) => buffer.wordLeft(),
  'alt-f': (buffer) => buffer.wordRight(),
  'ctrl-right': (buffer) => buffer.wordRight(),
  'alt-right': (buffer) => buffer.wordRight(),
  backspace: (buffer) => buffer.backspace(),
  delete: (buffer) => buffer.delete(),
  'ctrl-k': (buffer) => buffer.killRight(),
  'ctrl-u': (buffer) => buffer.killLeft(),
  'ctrl-w': (buffer) => buffer.killSpaceLeft(),
  'alt-backspace': (buffer) => buffer.killWordLeft(),
  'alt-d': (buffer) => buffer.killWordRight(),
  'ctrl-y': (buffer) => buffer.yank(),
  'ctrl-t': (buffer) => buffer.transpose(),
  'ctrl-_': (buffer) => buffer.undo(),
}

/** A longer word is none that anybody completes. */
const longestWord = 4096

/** Where the word at the end begins. */
export function lastWord(text: string): number | undefined {
  for (let at = text.length; at >= text.length - longestWord; at--) if (at === 0 || /\s/.test(text[at - 1]!)) return at
  return undefined
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  // Not half of a character.
  return a.slice(0, /[\ud800-\udbff]$/.test(a.slice(0, length)) ? length - 1 : length)
}
