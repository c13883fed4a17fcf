import { textOfWords } from './words.ts'
import type { Word } from './words.ts'

/** What a command runs beside itself. */
export type Inside = {
  readonly calls: readonly (readonly Word[])[]
  /** Texts that it has run as scripts of a shell. */
  readonly scripts: readonly string[]
  /** It may run what cannot be seen in its words. */
  readonly isOpaque: boolean
}

export const nothing: Inside = { calls: [], scripts: [], isOpaque: false }
export const opaque: Inside = { calls: [], scripts: [], isOpaque: true }

export const scriptsOf = (words: readonly Word[]): Inside =>
  words.some(({ isOpen, isPattern }) => isOpen || isPattern)
    ? { ...opaque, scripts: [textOfWords(words)] }
    : { ...nothing, scripts: [textOfWords(words)] }

export const behindFlag = (args: readonly Word[], flag: RegExp): Inside => {
  const at = args.findIndex(({ text }) => flag.test(text))
  return at < 0 ? opaque : scriptsOf(args.slice(at + 1, at + 2))
}

export const merge = (all: readonly Inside[]): Inside => ({
  calls: all.flatMap(({ calls }) => calls),
  scripts: all.flatMap(({ scripts }) => scripts),
  isOpaque: all.some(({ isOpaque }) => isOpaque),
})
