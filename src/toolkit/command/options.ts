import type { Word } from './words.ts'

export const has = (args: readonly Word[], pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text))

/** What is no option; behind `--` nothing is one. */
export function operandsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  const options = end < 0 ? args : args.slice(0, end)
  return [...options.filter(({ text }) => !text.startsWith('-') || text === '-'), ...(end < 0 ? [] : args.slice(end + 1))]
}

/**
 * The values of an option: behind it or joined to it, its letter also behind other letters in one word, its long names also shortened,
 * as many programs take them.
 */
export function valuesOf(args: readonly Word[], letter: string, ...names: readonly string[]): readonly Word[] {
  return args.flatMap((word, index): readonly Word[] => {
    const [, name, equals, value = ''] = /^--([a-z][a-z-]*)(=(.*))?$/s.exec(word.text) ?? []
    if (name !== undefined) {
      if (!names.some((known) => known.startsWith(name))) return []
      return equals === undefined ? args.slice(index + 1, index + 2) : [{ ...word, text: value }]
    }
    if (!/^-[a-zA-Z0-9#]/.test(word.text)) return []
    const at = word.text.indexOf(letter)
    if (at < 1) return []
    return at === word.text.length - 1 ? args.slice(index + 1, index + 2) : [{ ...word, text: word.text.slice(at + 1) }]
  })
}
