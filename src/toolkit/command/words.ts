import type { Word as WordNode, WordPart } from 'unbash'

/** A word of a command, quotes taken off. */
export type Word = {
  readonly text: string
  /** It holds a variable, a substitution or braces, so `text` is not what the command gets. */
  readonly isOpen: boolean
  /** It holds an unquoted `*`, `?` or `[`. */
  readonly isPattern: boolean
  readonly isQuoted: boolean
}

export const literal = (text: string): Word => ({ text, isOpen: false, isPattern: false, isQuoted: false })
export const unknown: Word = { text: '$', isOpen: true, isPattern: false, isQuoted: false }

/** The words of a command as one text; what is open stands as it was written. */
export const textOfWords = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

/** What a program is called, without its folder. */
export const nameOf = (word: Word | undefined): string => word?.text.replace(/^.*\//, '') ?? ''

type Found = { text: string; isOpen: boolean; isPattern: boolean; isQuoted: boolean }

export function toWord(node: WordNode): Word {
  const { parts, value, text } = node
  if (!parts) return { text: value, isOpen: false, isPattern: false, isQuoted: text !== value }
  const word: Found = { text: '', isOpen: false, isPattern: false, isQuoted: false }
  for (const part of parts) addPart(word, part)
  return word
}

function addPart(word: Found, part: WordPart): void {
  if (part.type === 'Literal') {
    word.text += part.value
    word.isQuoted ||= part.value !== part.text
  } else if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') {
    word.isQuoted = true
    word.text += part.value
    // A byte that is no text: which file it names cannot be told.
    word.isOpen ||= part.type === 'AnsiCQuoted' && /\\[xuU0-7]/.test(part.text) && /[\u0080-\uffff]/.test(part.value)
  } else if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    word.isQuoted = true
    // A translation may say anything.
    word.isOpen ||= part.type === 'LocaleString'
    for (const inner of part.parts) addPart(word, inner)
  } else {
    word.isPattern ||= part.type === 'Glob' || part.type === 'ExtendedGlob'
    word.isOpen ||= part.type !== 'Glob'
    word.text += part.text
  }
}
