/** Made when the first text asks for it: that takes longer than all else at the start. */
let segmenter: Intl.Segmenter | undefined
const segmenterFor = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** What takes two columns: the wide scripts of East Asia; emoji are known by their property. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fff}\u{17000}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const emojiAsked = /^\p{Emoji}\ufe0f/u
const invisible = /^[\p{Cc}\p{Mn}\p{Me}\p{Cf}\u{1160}-\u{11ff}]+$/u
const plainAscii = /^[\u0020-\u007e]*$/
/**
 * What is a character by itself, whatever of these stands beside it: the letters and signs of Europe and East Asia without what joins
 * others. To divide a text of them takes a hundredth of what the rules for all take.
 */
const alone =
  '\\n\\u0020-\\u007e\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2bff\\u3001-\\u3029\\u3030-\\u303e\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60'
const single = new RegExp(`^[${alone}]*$`)
const pair = new RegExp(`^[${alone}]{2}$`)
/** The sequences that this program writes itself: colours, and links. */
// oxlint-disable-next-line no-control-regex
const ownSequences = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g

/** What a person takes for one character, in order: an emoji of several parts, a letter with its accents. */
export function graphemes(text: string): readonly string[] {
  return single.test(text) ? text.split('') : Array.from(segmenterFor().segment(text), ({ segment }) => segment)
}

/** No longer text is looked at to find where a character begins. */
const farthest = 100
/** The next place at or behind this one where a character is sure to begin, as well as that can be known from what is near. */
export function wholeFrom(text: string, index: number): number {
  const end = Math.min(text.length, index + farthest)
  for (let at = index; at < end; at++) if (at === 0 || pair.test(text.slice(at - 1, at + 1))) return at
  // Not between the halves of one, at least.
  return /[\udc00-\udfff]/.test(text[index] ?? '') ? index + 1 : index
}

/** The length of the character that ends before `index`; 0 at the beginning. */
export function lengthBefore(text: string, index: number): number {
  if (index === 0) return 0
  const far = Math.max(0, index - 2 * farthest)
  const from = far === 0 ? 0 : Math.min(wholeFrom(text, far), index - 1)
  return graphemes(text.slice(from, index)).at(-1)!.length
}

/** The length of the character that begins at `index`; 0 at the end. */
export function lengthFrom(text: string, index: number): number {
  if (index >= text.length) return 0
  return graphemes(text.slice(index, index + farthest))[0]!.length
}

/** Columns of one character as `graphemes` gives it. */
export function widthOf(grapheme: string): number {
  if (plainAscii.test(grapheme)) return grapheme.length
  if (invisible.test(grapheme)) return 0
  return wide.test(grapheme) || emojiAsked.test(grapheme) ? 2 : 1
}

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += widthOf(grapheme)
  return width
}

/** The same for a row with the colours and links of this program. */
export const rowWidth = (row: string): number => displayWidth(row.replaceAll(ownSequences, ''))

/** The beginning of a text that fits, whole characters only. */
export function clip(text: string, width: number): string {
  if (plainAscii.test(text)) return text.slice(0, Math.max(0, width))
  let used = 0
  let kept = ''
  for (const grapheme of graphemes(text)) {
    used += widthOf(grapheme)
    if (used > width) break
    kept += grapheme
  }
  return kept
}
