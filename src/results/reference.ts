import type { ResultReader } from './result-store.ts'
import { previewOf } from './preview.ts'

/** What there is to show of a result that does not fit. */
export type Shortened = {
  readonly text: string
  readonly previewChars: number
  /** Why it does not fit, as a part of a sentence. */
  readonly why: string
}

/** What stands in the place of a stored result: the reference, how to read on, and its beginning. */
export function referenceTo(path: string, { text, previewChars, why }: Shortened, reader: ResultReader | undefined): string {
  const preview = previewOf(text, previewChars)
  const written = attribute(path)
  const call =
    reader && `Read on with ${reader.name}, path ${written === path ? 'as above' : JSON.stringify(path)}${offsetIn(preview, reader)}. `
  return [
    `<persisted-output path="${written}" chars="${text.length}"/>`,
    `The result has ${text.length} characters, ${why}. It is stored whole at this path. ${call ?? ''}This is its beginning:`,
    '',
    defused(preview),
    `[… ${text.length - preview.length} of ${text.length} characters are left out here.]`,
  ].join('\n')
}

/** What stands in the place of a result that could not be stored. */
export function cutOff({ text, previewChars, why }: Shortened, reason: string): string {
  const preview = previewOf(text, previewChars)
  return [
    `The result has ${text.length} characters, ${why}. It could not be stored (${reason}), so only its beginning is left:`,
    '',
    defused(preview),
    `[… ${text.length - preview.length} of ${text.length} characters are lost. If you need them, ask for less at a time.]`,
  ].join('\n')
}

function offsetIn(preview: string, { offset }: ResultReader): string {
  if (offset === undefined) return ''
  return `, offset=${offset === 'character' ? preview.length : preview.split('\n').length}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const attribute = (value: string): string => value.replaceAll(/[&<>"\t\n\r]/g, (char) => entities[char]!)

/** In the preview of a result no reference can stand that looks like ours. The stored text is as it was. */
const defused = (preview: string): string => preview.replaceAll(/<(?=\/?persisted-output)/gi, '&lt;')
