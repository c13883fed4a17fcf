/**
 * Takes terminal control sequences out of a text that comes in pieces: colours, cursor movements, titles, links and clipboard
 * writes are gone, also where a sequence is cut by the end of a piece. What is left of the control characters is newline and tab.
 *
 * CR LF becomes a newline, and so does a CR alone, because a progress bar that rewrites its line is many lines to a reader. A
 * sequence that never ends swallows at most `maxSequence` characters, and no line break of a sequence that cannot hold one.
 */
export interface PlainText {
  /** The plain part of the next piece. */
  write(piece: string): string
}

/** `text`: outside. `escape`: behind ESC. `csi`: parameters. `string`: OSC, DCS and their like, up to BEL or ST. */
type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string_escape'

const maxSequence = 4096

// oxlint-disable-next-line no-control-regex
const hasControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

export function plainText(): PlainText {
  let state: State = 'text'
  let length = 0
  let afterReturn = false

  /** What one character leaves, and what comes after it. */
  const next = (code: number, char: string): string => {
    if (state !== 'text' && ++length > maxSequence) state = 'text'
    switch (state) {
      case 'text':
        return plain(code, char)
      case 'escape':
        if (code === 0x5b) state = 'csi'
        else if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) state = 'string'
        else if (code >= 0x20 && code <= 0x2f) state = 'intermediate'
        else return leave(code, char, code >= 0x30 && code <= 0x7e)
        return ''
      case 'intermediate':
        return code >= 0x20 && code <= 0x2f ? '' : leave(code, char, code >= 0x30 && code <= 0x7e)
      case 'csi':
        return code >= 0x20 && code <= 0x3f ? '' : leave(code, char, code >= 0x40 && code <= 0x7e)
      case 'string':
        if (code === 0x1b) state = 'string_escape'
        else if (code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a) state = 'text'
        return ''
      case 'string_escape':
        // ESC \ ends the string; ESC and anything else ends it too and begins a sequence of its own.
        state = code === 0x5c ? 'text' : 'escape'
        return code === 0x5c ? '' : next(code, char)
    }
  }
  /** Ends a sequence; a character that does not belong to it is text again. */
  const leave = (code: number, char: string, belongs: boolean): string => {
    state = 'text'
    return belongs ? '' : plain(code, char)
  }
  const plain = (code: number, char: string): string => {
    const isSecond = afterReturn
    afterReturn = code === 0x0d
    if (code === 0x0d) return '\n'
    if (code === 0x0a) return isSecond ? '' : '\n'
    if (code === 0x1b) return begin('escape')
    if (code === 0x9b) return begin('csi')
    if (code === 0x9d || code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f) return begin('string')
    const isControl = (code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f)
    return isControl ? '' : char
  }
  const begin = (into: State): string => {
    state = into
    length = 0
    return ''
  }

  return {
    write(piece) {
      // Most output has none of this, and then nothing is copied.
      if (state === 'text' && !afterReturn && !hasControls.test(piece)) return piece
      let kept = ''
      for (let i = 0; i < piece.length; i++) kept += next(piece.charCodeAt(i), piece[i]!)
      return kept
    },
  }
}
