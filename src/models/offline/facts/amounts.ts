import type { FileText } from '../acts/read-file.ts'
import { contentOf, partNote } from '../acts/each-file.ts'
import { code, listed, plural } from '../language/english.ts'
import type { Measure } from '../language/measures.ts'
import type { Amount, Finding } from '../site.ts'
import { failed, joined } from '../site.ts'
import { partsIn, pluralOf } from './parts.ts'
import { countsOf } from './plain-text.ts'

/** What a measure counts, in the plural. */
export function measureSaid(measure: Measure): string {
  switch (measure.type) {
    case 'occurrences':
      return `occurrences of ${code(measure.text)}`
    case 'lines_with':
      return `lines with ${code(measure.text)}`
    case 'part':
      return pluralOf(measure.part)
    case 'blank_lines':
      return 'blank lines'
    case 'filled_lines':
      return 'lines that are not blank'
    default:
      return measure.type
  }
}

/** How much there is in one file; `name` is what the file is called in the answer. */
export function amountsFinding(file: FileText, measures: readonly Measure[], name: string): Finding {
  const text = contentOf(file)
  // How many lines there are can be known without having read them all.
  if (!file.complete && file.total !== undefined && measures.every(({ type }) => type === 'lines'))
    return { say: `${name} has ${plural(file.total, 'line')}.`, value: String(file.total) }
  const amounts: Amount[] = []
  for (const measure of measures) {
    const amount = amountOf(measure, file.path, text, file.lines)
    if (!amount) return failed(`I do not know how to count ${measureSaid(measure)} in ${name}.`)
    amounts.push(amount)
  }
  const note = partNote(file)
  const said = listed(amounts.map((amount) => amount.said))
  const isExact = measures.some(({ type }) => type === 'occurrences' || type === 'lines_with')
  const hint = isExact && amounts.some(({ number }) => number === 0) ? ' (I look for exactly these letters, capitals included.)' : ''
  const value = amounts.length === 1 ? String(amounts[0]!.number) : amounts.map((amount) => amount.said).join('\n')
  return { say: note === '' ? `${name} has ${said}.${hint}` : `${name}: ${said} in what I read. ${note}`, value }
}

/** What was counted in several files. By one measure alone there is a total too. */
export function totalled(findings: readonly Finding[], measures: readonly Measure[]): Finding {
  const whole = joined(findings)
  const numbers = findings.filter((finding) => !finding.failed).map(({ value }) => Number(value))
  if (measures.length !== 1 || findings.length < 2 || numbers.some((number) => !Number.isFinite(number))) return whole
  const total = numbers.reduce((sum, number) => sum + number, 0)
  return {
    ...whole,
    say: `${findings.map(({ say }) => `- ${say}`).join('\n')}\n\nTogether: ${total} ${measureSaid(measures[0]!)}.`,
    value: String(total),
  }
}

function amountOf(measure: Measure, path: string, text: string, lines: readonly string[]): Amount | undefined {
  const amount = (number: number, one: string, many?: string): Amount => ({ number, said: plural(number, one, many) })
  switch (measure.type) {
    case 'lines':
      return amount(countsOf(text).lines, 'line')
    case 'words':
      return amount(countsOf(text).words, 'word')
    case 'characters':
      return amount(countsOf(text).characters, 'character')
    case 'blank_lines':
      return amount(lines.filter((line) => line.trim() === '').length, 'blank line')
    case 'filled_lines':
      return amount(lines.filter((line) => line.trim() !== '').length, 'line that is not blank', 'lines that are not blank')
    case 'occurrences':
      return measure.text === ''
        ? undefined
        : amount(text.split(measure.text).length - 1, `occurrence of ${code(measure.text)}`, `occurrences of ${code(measure.text)}`)
    case 'lines_with':
      return measure.text === ''
        ? undefined
        : amount(
            lines.filter((line) => line.includes(measure.text)).length,
            `line with ${code(measure.text)}`,
            `lines with ${code(measure.text)}`,
          )
    case 'part': {
      const found = partsIn(measure.part, path, text)
      return found && amount(found.length, measure.part === 'todo' ? 'TODO' : measure.part, pluralOf(measure.part))
    }
  }
}
