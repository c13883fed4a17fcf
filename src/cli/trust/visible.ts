import { showControls } from '../sanitise.ts'

/** Blanks that look like nothing, or like a space that they are not. */
const blanks = /[\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/gu

/**
 * Text of a file that a person is asked to judge, in one line: nothing in it can move the cursor, hide something, or pad the line
 * until it looks like another one.
 *
 * @param most characters that are shown; of the rest it is said how many there are.
 */
export function visible(text: string, most = 500): string {
  const shown = text.length > most ? text.slice(0, most) : text
  const clean = showControls(shown)
    .replaceAll(blanks, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
    .replaceAll(/ {4,}/g, (run) => `\\x20{${run.length}}`)
  return text.length > most ? `${clean} (and ${text.length - most} more characters, not shown)` : clean
}
