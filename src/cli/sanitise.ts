/** Takes text piece by piece and gives it back without anything that steers a terminal. */
export interface ControlFilter {
  push(chunk: string): string
  /** The text is over: what is still held back is given, a sequence that did not end is dropped. */
  end(): string
}

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string_escape'

/** C0 without tab and newline, DEL and C1, and the characters that turn the direction of text around. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/**
 * A filter for text of models and tools. Whole escape sequences go, also when one is spread over several pieces; line breaks
 * and tabs stay. A sequence ends at the end of its line at the latest, so that an open one cannot hide what follows.
 */
export function controlFilter(): ControlFilter {
  let state: State = 'text'
  /** Half a character, whose other half comes with the next piece. */
  let half = ''

  const step = (char: string, code: number): string => {
    switch (state) {
      case 'text':
        if (!unwanted.test(char)) return char
        state = afterControl(code)
        return ''
      case 'escape':
        if (char === '[') return go('csi')
        if (']PX^_'.includes(char)) return go('string')
        return code >= 0x20 && code <= 0x2f ? go('intermediate') : final(char, code, 0x30)
      case 'intermediate':
        return code >= 0x20 && code <= 0x2f ? '' : final(char, code, 0x30)
      case 'csi':
        return code >= 0x20 && code <= 0x3f ? '' : final(char, code, 0x40)
      case 'string':
        if (code === 0x1b) return go('string_escape')
        if (code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a) return go('text')
        return char === '\n' ? again('text', char, code) : ''
      case 'string_escape':
        return char === '\\' ? go('text') : again('escape', char, code)
    }
  }
  const go = (next: State): string => {
    state = next
    return ''
  }
  const again = (next: State, char: string, code: number): string => {
    state = next
    return step(char, code)
  }
  /** The character that ends a sequence belongs to it; one that cannot stand in it does not. */
  const final = (char: string, code: number, from: number): string =>
    code >= from && code <= 0x7e ? go('text') : again('text', char, code)

  return {
    push(chunk) {
      const all = half + chunk
      half = ''
      const last = all.length - 1
      const text = isHigh(all.charCodeAt(last)) ? all.slice(0, last) : all
      half = all.slice(text.length)
      if (state === 'text' && !unwanted.test(text)) return text
      let clean = ''
      for (let i = 0; i < text.length; i++) clean += step(text[i]!, text.charCodeAt(i))
      return clean
    },
    end() {
      state = 'text'
      const rest = half
      half = ''
      return rest
    },
  }
}

function afterControl(code: number): State {
  if (code === 0x1b) return 'escape'
  if (code === 0x9b) return 'csi'
  return [0x90, 0x98, 0x9d, 0x9e, 0x9f].includes(code) ? 'string' : 'text'
}

/** A whole text without anything that steers a terminal. */
export function withoutControls(text: string): string {
  const filter = controlFilter()
  return filter.push(text) + filter.end()
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * The text with everything written out that a terminal obeys or does not show: what a person is asked to judge must not hide
 * anything.
 *
 * @param keep characters that stay as they are, for example `\n`.
 */
export function showControls(text: string, keep = ''): string {
  return text.replaceAll(hidden, (char) => {
    if (keep.includes(char)) return char
    const code = char.codePointAt(0)!
    return named[char] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
  })
}

const inJson = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** JSON that a terminal can be shown: `JSON.stringify` leaves some controls as they are, and they stand in strings only. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(inJson, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
