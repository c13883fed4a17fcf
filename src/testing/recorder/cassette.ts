import { InputError } from '../../errors.ts'
import { describe } from '../../util/describe.ts'
import { isObject } from '../../util/json.ts'
import { CassetteError } from './cassette-error.ts'
import type { CassetteEntry } from './entries.ts'

/** A recorded run: plain JSON, in the order in which it happened. */
export type Cassette = { readonly format: 'lena-cassette'; readonly version: 1; readonly entries: readonly CassetteEntry[] }

const format = 'lena-cassette'
const version = 1

export const cassetteOf = (entries: readonly CassetteEntry[]): Cassette => ({ format, version, entries })

/** A cassette as text: a line that says what it is, and one for each entry. */
export function formatCassette(cassette: Cassette): string {
  const { entries } = (cassette ?? {}) as Partial<Cassette>
  if (!Array.isArray(entries))
    throw new InputError(`formatCassette() needs a cassette, such as the \`cassette\` of a recorder, got ${describe(cassette)}.`)
  return [{ format, version }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * The cassette of a text.
 *
 * @param name for messages: where the text is from.
 * @throws {CassetteError} that says which line is none, or that it was made by a newer version.
 */
export function parseCassette(text: string, name = 'The cassette'): Cassette {
  if (typeof text !== 'string') throw new InputError(`parseCassette() needs the text of a cassette, got ${describe(text)}.`)
  const invalid = (said: string): CassetteError => new CassetteError(`${name} ${said}`, { code: 'cassette_invalid' })
  const lines = text.split('\n')
  // A text of lines ends with one.
  if (lines.at(-1) === '') lines.pop()
  const values = lines.map((line, index): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(line)
      if (isObject(value)) return value
    } catch {
      // Said below.
    }
    throw invalid(`is damaged: line ${index + 1} is no JSON object. Record it again.`)
  })
  const [head, ...entries] = values
  if (head?.['format'] !== format) throw invalid(`is no cassette: its first line must be {"format":"${format}","version":${version}}.`)
  if (head['version'] !== version)
    throw invalid(`has the version ${String(head['version'])}, and this version of lena-agent knows ${version}. Record it again.`)
  entries.forEach((entry, index) => {
    if (typeof entry['type'] !== 'string') throw invalid(`is damaged: line ${index + 2} has no type. Record it again.`)
  })
  return cassetteOf(entries as unknown as readonly CassetteEntry[])
}
