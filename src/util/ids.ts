export type IdKind = 'invocation' | 'message' | 'call' | 'conversation' | 'checkpoint' | 'record'

/** Identities as an argument, so that a test can name them. Every id must be new each time. */
export interface Ids {
  next(kind: IdKind): string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes: Record<IdKind, string> = {
  invocation: 'inv',
  message: 'msg',
  call: 'call',
  conversation: 'conv',
  checkpoint: 'cp',
  record: 'rec',
}

/** `call_` and 22 random characters (131 bits): unique over processes without asking anybody. */
export const randomIds: Ids = {
  next(kind) {
    let id = ''
    // Two characters a draw. These ids must be unique, not secret, and the web crypto object is slow to load.
    for (let i = 0; i < 11; i++) {
      const draw = Math.floor(Math.random() * 3844)
      id += alphabet[draw % 62]! + alphabet[Math.floor(draw / 62)]!
    }
    return `${prefixes[kind]}_${id}`
  },
}
