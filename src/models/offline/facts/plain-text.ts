import { code, plural, shortened } from '../language/english.ts'

export type Counts = { readonly lines: number; readonly words: number; readonly characters: number }

/** Counts as `wc` makes them, but a last line without a newline counts too, and characters are code points. */
export function countsOf(text: string): Counts {
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return { lines, words: (text.match(/\S+/g) ?? []).length, characters: [...text].length }
}

export function describeText(path: string | undefined, text: string): string {
  const { lines, words, characters } = countsOf(text)
  const subject = path === undefined ? 'The text' : code(path)
  if (words === 0) return `${subject} is ${characters === 0 ? 'empty' : 'blank'}.`
  const first = text.trim().split(/\n\s*\n/)[0]!
  return `${subject} has ${plural(lines, 'line')}, ${plural(words, 'word')} and ${plural(characters, 'character')}. It begins: “${shortened(first, 400)}”`
}
