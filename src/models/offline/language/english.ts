/** `3 files`, `1 file`, `2 entries`. */
export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : several}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** The same, cut after `most` items with a note of how many more there are. */
export function listedUpTo(items: readonly string[], most: number): string {
  if (items.length <= most) return listed(items)
  return `${items.slice(0, most).join(', ')} and ${items.length - most} more`
}

/** Text as code in Markdown, whatever backticks it holds. */
export function code(text: string): string {
  const run = longestRun(text)
  if (run === 0) return `\`${text}\``
  const mark = '`'.repeat(run + 1)
  return `${mark} ${text} ${mark}`
}

/** A fenced block that its content cannot close. */
export function fenced(text: string, language = ''): string {
  const mark = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${mark}${language}\n${text.replace(/\n$/, '')}\n${mark}`
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
}

/** A number in digits or as a word, as the source of a regular expression. */
export const numberWord = `(?:\\d{1,6}|${Object.keys(numbers).slice(2).join('|')})`

/** The number that a word means. */
export const numberOf = (word: string | undefined): number | undefined => {
  if (word === undefined) return undefined
  return /^\d+$/.test(word) ? Number(word) : numbers[word.toLowerCase()]
}

/** Cut to `most` characters, at the end or in the middle of a line, with a mark. */
export function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}
