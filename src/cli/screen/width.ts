/** Made when the first text asks for it: that takes longer than all else at the start. */
let segmenter: Intl.Segmenter | undefined
const segmenterFor = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** What takes two columns: the wide scripts of East Asia; emoji are known by their property. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fff}\u{17000}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const emojiAsked = /^\p{Emoji}\ufe0f/u
const invisible = /^[\p{Cc}\p{Mn}\p{Me}\p{Cf}\u{1160}-\u{11ff}]+$/u
const plainAscii = /^[\u0020-\u007e]*$/
/** The sequences that this program writes itself: colours, and links. */
// oxlint-disable-next-line no-control-regex
const ownSequences = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g

/** What a person takes for one character, in order: an emoji of several parts, a letter with its accents. */
export function graphemes(text: string): readonly string[] {
  return plainAscii.test(text) ? text.split('') : Array.from(segmenterFor().segment(text), ({ segment }) => segment)
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
