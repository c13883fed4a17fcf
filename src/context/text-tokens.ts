/** Kinds of characters, as tokenizers part a text: a run of one kind is a token, or several where it is long. */
const blank = 0
const line = 1
const digit = 2
const sign = 3
const capital = 4
const letter = 5
const foreign = 6
const wide = 7

/** Letters of a word that are one token, and how many more make another. */
const wordLetters = 7
const moreLetters = 4
/** Signs in a row for one more token, behind the first. */
const moreSigns = 2.5
/** For each capital behind the first of a word: names and base64 are no words. */
const perCapital = 0.35
/** For a digit beside a letter, likewise. */
const perSeam = 0.4
/** For a letter with an accent: the word is rarer. */
const perAccent = 0.5
const wideLetters = 1.1

/**
 * About how many tokens a text takes. It is parted as tokenizers part it (words, numbers of three digits, signs), so that prose, code, JSON
 * and base64 each come out by themselves. One pass.
 *
 * @param foreignLetters letters of other alphabets (Greek, Cyrillic, Arabic …) for one token.
 */
export function textTokens(text: string, foreignLetters: number): number {
  let tokens = 0
  let before = blank
  for (let start = 0, end = 0; start < text.length; start = end) {
    const kind = kindOf(text.charCodeAt(start))
    end = runEnd(text, start + 1, kind)
    const length = end - start
    if (kind === letter || kind === capital) {
      // A capital begins a word: the letters behind it are its own.
      const capitals = kind === capital ? length : 0
      if (kind === capital) end = runEnd(text, end, letter)
      tokens += 1 + Math.max(0, end - start - wordLetters) / moreLetters + Math.max(0, capitals - 1) * perCapital
      tokens += accentsIn(text, start, end) * perAccent + (before === digit ? perSeam : 0)
      before = letter
      continue
    }
    if (kind === blank) tokens += length > 1 ? 1 : 0
    else if (kind === line) tokens += 1
    else if (kind === digit) tokens += Math.ceil(length / 3) + (before === letter ? perSeam : 0)
    else if (kind === sign) tokens += 1 + (length - 1) / moreSigns
    else tokens += length / (kind === wide ? wideLetters : foreignLetters)
    before = kind
  }
  return tokens
}

function runEnd(text: string, from: number, kind: number): number {
  let end = from
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++
  return end
}

function accentsIn(text: string, start: number, end: number): number {
  let accents = 0
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) accents++
  return accents
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return letter
  if (code === 32) return blank
  if (code < 32) return line
  if (code < 128) return code >= 48 && code <= 57 ? digit : code >= 65 && code <= 90 ? capital : sign
  if (code < 0x250) return letter
  return code < 0x2e80 ? foreign : wide
}
