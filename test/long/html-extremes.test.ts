import { expect, test } from 'vitest'
import { htmlToText } from '../../src/toolkit/web/html/to-text.ts'

const size = 5 * 1024 * 1024
const filled = (piece: string, end = ''): string => piece.repeat(Math.ceil((size - end.length) / piece.length)) + end

/** Were the time to grow with the square of the length, each of these would take hours. */
test.each([
  ['<', filled('<')],
  ['tags that do not end', filled('<a ')],
  ['attributes that do not end', filled('<a b="')],
  ['attributes of a tag', `<a ${filled('x ')}`],
  ['quotes', filled('<a b=\'"')],
  ['comments that do not end', filled('<!--')],
  ['almost comments', filled('<!-- -- > --')],
  ['declarations', filled('<!x')],
  ['scripts', filled('<script>')],
  ['titles', filled('<title>a')],
  ['almost the end of a script', `<script>${filled('</scrip')}`],
  ['folders of elements', filled('<div>')],
  ['elements, and ends of others', filled('<div>').slice(0, size / 2) + filled('</x>').slice(0, size / 2)],
  ['ends', filled('</p>')],
  ['paragraphs that are not closed', filled('<p><b>')],
  ['lists in lists', filled('<ul><li>a')],
  ['tables in tables', filled('<table><tr><td>a')],
  ['quotes in quotes', filled('<blockquote>a')],
  ['links', filled('<a href=x>y</a>')],
  ['links in links', filled('<a href=x>')],
  ['code', filled('<pre>\n')],
  ['hidden elements', filled('<p hidden>')],
  ['entities', filled('&amp;')],
  ['almost entities', filled('&')],
  ['numbers', filled('&#x41')],
  ['spaces', filled(' ')],
  ['line breaks', filled('<br>\n')],
  ['one word', filled('a')],
  ['NUL', filled('\0')],
])('a page of 5 MB of %s is read', (_, html) => {
  const { text } = htmlToText(html, { base: new URL('https://site.example/'), isLate: () => false, maxChars: 20_000_000 })
  expect(text.length).toBeLessThan(size * 6)
})
