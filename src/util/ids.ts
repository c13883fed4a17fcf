export type IdKind = 'invocation' | 'message' | 'call' | 'conversation' | 'checkpoint' | 'record'

/** Identities as an argument, so that a test can name them. Every id must be new each time. */
export interface Ids {
  next(kind: IdKind): string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The characters' codes: a text that is put together piece by piece stays in its pieces, and a history holds thousands of ids. */
const codesOf = (prefix: string): number[] => Array.from(`${prefix}_`.padEnd(prefix.length + 23), (char) => char.charCodeAt(0))
const kinds: Record<IdKind, number[]> = {
  invocation: codesOf('inv'),
  message: codesOf('msg'),
  call: codesOf('call'),
  conversation: codesOf('conv'),
  checkpoint: codesOf('cp'),
  record: codesOf('rec'),
}

/** `call_` and 22 random characters (131 bits): unique over processes without asking anybody. */
export const randomIds: Ids = {
  next(kind) {
    const codes = kinds[kind]
    // Two characters a draw. These ids must be unique, not secret, and the web crypto object is slow to load.
    for (let i = codes.length - 22; i < codes.length; i += 2) {
      const draw = Math.floor(Math.random() * 3844)
      codes[i] = alphabet.charCodeAt(draw % 62)
      codes[i + 1] = alphabet.charCodeAt(Math.floor(draw / 62))
    }
    return String.fromCharCode(...codes)
  },
}
