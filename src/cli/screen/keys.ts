import { withoutControls } from '../sanitise.ts'

/** What was pressed: `{ name: 'ctrl-a' }`, `{ name: 'alt-enter' }`; `text` for what was typed, `paste` for what was pasted. */
export type Key = { readonly name: string; readonly text?: string | undefined }

const finals: Readonly<Record<string, string>> = { A: 'up', B: 'down', C: 'right', D: 'left', F: 'end', H: 'home', Z: 'shift-tab' }
const tildes: Readonly<Record<string, string>> = {
  '1': 'home',
  '3': 'delete',
  '4': 'end',
  '5': 'page-up',
  '6': 'page-down',
  '7': 'home',
  '8': 'end',
}
const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
}

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** Pasted text may be a file; more than this is none. */
const longestPaste = 1_000_000

/** Makes keys of what a terminal sends. A sequence may come in pieces. */
export class KeyDecoder {
  #rest = ''
  /** The last piece was ESC alone: the key of that name, or the beginning of a sequence that was cut there. */
  #endedInEscape = false
  /** Text of a paste that goes on, in pieces. */
  #paste: string[] | undefined
  #pasted = 0

  push(chunk: string): readonly Key[] {
    const keys: Key[] = []
    const goesOn = this.#endedInEscape && /^(?:\[[0-9;]*[A-Za-z~]|O[A-H])/.test(chunk)
    let input = goesOn ? `\u001b${chunk}` : this.#rest + chunk
    this.#endedInEscape = !this.#paste && input === '\u001b'
    this.#rest = ''
    // The end of the paste did not come, and somebody wants out. In what is pasted it does not come alone.
    if (this.#paste && chunk === '\u0003') {
      keys.push({ name: 'paste', text: cleaned(this.#paste.join('')) })
      this.#paste = undefined
      input = chunk
    }
    while (input !== '') {
      if (this.#paste) {
        const end = input.indexOf(pasteEnd)
        // The mark of its end may be cut in two.
        const held = end < 0 ? overlap(input, pasteEnd) : 0
        this.#keep(input.slice(0, end < 0 ? input.length - held : end))
        if (end < 0) {
          this.#rest = input.slice(input.length - held)
          break
        }
        keys.push({ name: 'paste', text: cleaned(this.#paste.join('')) })
        this.#paste = undefined
        input = input.slice(end + pasteEnd.length)
        continue
      }
      if (input.startsWith(pasteStart)) {
        this.#paste = []
        this.#pasted = 0
        input = input.slice(pasteStart.length)
        continue
      }
      const { key, length } = first(input)
      if (length === 0) {
        this.#rest = input
        break
      }
      if (key) keys.push(key)
      input = input.slice(length)
    }
    return keys
  }

  #keep(text: string): void {
    if (this.#pasted < longestPaste) this.#paste!.push(text.slice(0, longestPaste - this.#pasted))
    this.#pasted += text.length
  }
}

/** Length 0: more is to come. */
function first(input: string): { readonly key?: Key | undefined; readonly length: number } {
  const char = input[0]!
  if (char === '\u001b') return escape(input)
  if (Object.hasOwn(controls, char)) return { key: { name: controls[char]! }, length: 1 }
  if (char === '\n') return { key: { name: 'ctrl-j' }, length: 1 }
  if (char < ' ') return { key: { name: `ctrl-${String.fromCharCode(char.charCodeAt(0) + 0x60).replace('\u007f', '_')}` }, length: 1 }
  // oxlint-disable-next-line no-control-regex
  const text = /^[^\u0000-\u001f\u007f]+/.exec(input)![0]
  return { key: { name: 'text', text: withoutControls(text) }, length: text.length }
}

function escape(input: string): { readonly key?: Key | undefined; readonly length: number } {
  if (input.length === 1) return { key: { name: 'escape' }, length: 1 }
  // oxlint-disable-next-line no-control-regex
  const csi = /^\u001b\[([0-9;:?<=>]*)([ -/]*)([@-~])?/.exec(input)
  if (csi) {
    const [all, parameters = '', , final] = csi
    if (final === undefined) return input.length === all.length ? { length: 0 } : { length: all.length }
    return { key: csiKey(parameters, final), length: all.length }
  }
  if (input.startsWith('\u001bO')) {
    if (input.length === 2) return { length: 0 }
    const name = finals[input[2]!]
    return { key: name === undefined ? undefined : { name }, length: 3 }
  }
  const { key, length } = first(input.slice(1, 2))
  if (key?.name === 'text') return { key: { name: `alt-${key.text!.toLowerCase()}` }, length: 2 }
  return { key: key && { name: `alt-${key.name}` }, length: 1 + length }
}

function csiKey(parameters: string, final: string): Key | undefined {
  const [one = '', two = '', three = ''] = parameters.split(';')
  if (final === '~' && one === '27') return named(three, two)
  if (final === 'u') return named(one, two)
  const name = final === '~' ? tildes[one] : finals[final]
  return name === undefined ? undefined : { name: `${modifier(two)}${name}` }
}

/** A key that a terminal tells by its number: `13;2` is Enter with Shift. */
function named(code: string, modifiers: string): Key | undefined {
  const char = String.fromCodePoint(Math.min(Number.parseInt(code, 10) || 0, 0x10ffff))
  const name = Object.hasOwn(controls, char) ? controls[char]! : /^[a-z]$/i.test(char) ? char.toLowerCase() : undefined
  if (name === undefined) return undefined
  const before = modifier(modifiers)
  return before === '' && name.length === 1 ? { name: 'text', text: char } : { name: `${before}${name}` }
}

function modifier(code: string): string {
  const bits = (Number.parseInt(code, 10) || 1) - 1
  return `${bits & 4 ? 'ctrl-' : ''}${bits & 2 ? 'alt-' : ''}${bits & 1 ? 'shift-' : ''}`
}

/** How many characters at the end of the text could begin the mark. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) if (text.endsWith(mark.slice(0, length))) return length
  return 0
}

const cleaned = (text: string): string => withoutControls(text.replaceAll(/\r\n?/g, '\n'))
