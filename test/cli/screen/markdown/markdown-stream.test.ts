import { Lexer } from 'marked'
import type { TokensList } from 'marked'
import { describe, expect, it } from 'vitest'
import { MarkdownStream } from '../../../../src/cli/screen/markdown/markdown-stream.ts'
import { LiveRegion } from '../../../../src/cli/screen/live-region.ts'
import { rowWidth } from '../../../../src/cli/screen/width.ts'
import { fc, runs } from '../../../support/fast-check.ts'
import { VirtualTerminal } from '../../../support/virtual-terminal.ts'

/** The rows of a text that came in one piece. */
function whole(text: string, width: number): readonly string[] {
  const stream = new MarkdownStream(Lexer)
  return [...stream.push(text, width), ...stream.end(width)]
}

const plain = (rows: readonly string[]): readonly string[] => {
  const terminal = new VirtualTerminal(200, 1000)
  terminal.write(rows.map((row) => `${row}\n`).join(''))
  expect(terminal.unknown).toEqual([])
  return terminal.text.slice(0, rows.length)
}
const shown = (text: string, width = 60): readonly string[] => plain(whole(text, width))

describe('markdown on a screen', () => {
  it.each<[string, string, readonly string[]]>([
    ['a heading and a paragraph', '# Title\nText with *stress*.', ['Title', '', 'Text with stress.']],
    ['a heading underlined', 'Title\n=====\nText', ['Title', '', 'Text']],
    ['paragraphs, one empty row apart', 'one\n\n\n\ntwo', ['one', '', 'two']],
    ['a tight list', 'Do:\n- a\n- b\n  - c\n* d', ['Do:', '• a', '• b', '  • c', '• d']],
    ['a loose list', '- a\n\n- b\n\n  more of b\n- c', ['• a', '', '• b', '', '  more of b', '• c']],
    ['numbers, as the list counts', '3. a\n3. b\n3. c', ['3. a', '4. b', '5. c']],
    ['a number that begins a line', 'In the year\n1998. It was', ['In the year', '1998. It was']],
    ['tasks', '- [ ] to do\n- [x] done', ['☐ to do', '☑ done']],
    ['code', 'Run:\n```sh\nnpm test\n\n  now\n```\nThen', ['Run:', '', '  npm test', '', '    now', '', 'Then']],
    ['code without an end', '```\nx\n', ['  x']],
    ['code in a list', '1. a\n   ```ts\n   let a\n   ```\n2. b', ['1. a', '     let a', '2. b']],
    ['a quote', '> one\n> two\nthree', ['│ one', '│ two', '│ three']],
    ['a rule', 'a\n\n---\n\nb', ['a', '', '────────────────────────────────────────', '', 'b']],
    ['signs that are none', 'a * b, 2 < 3, snake_case_name &amp; `a &lt; b`', ['a * b, 2 < 3, snake_case_name & a < b']],
    ['tags as they are', '<b>bold</b>\n\nx <br> y', ['<b>bold</b>', '', 'x <br> y']],
    ['an escaped sign', '\\*no\\*', ['*no*']],
    ['a definition for later links', '[a]: https://x.org\n\nsee [a]', ['see a']],
  ])('%s', (_, text, rows) => expect(shown(text)).toEqual(rows))

  it.each<[string, string, string]>([
    ['a safe link', '[docs](https://x.org/a)', 'docs'],
    ['an address', '<https://x.org>', 'https://x.org'],
    ['a link to something else', '[run](file:///bin/sh)', 'run (file:///bin/sh)'],
    ['a script', '[x](javascript:alert)', 'x (javascript:alert)'],
    ['a text that says another place', '[https://bank.com](https://evil.org/x)', 'https://bank.com (https://evil.org/x)'],
    ['an address with a name in it', '[x](https://bank.com@evil.org)', 'x (https://bank.com@evil.org)'],
    ['a file of the project', '[a.ts](src/a.ts)', 'a.ts (src/a.ts)'],
    ['an image', '![cat](https://x.org/c.png)', '[image: cat] (https://x.org/c.png)'],
  ])('%s', (_, text, row) => expect(shown(text)).toEqual([row]))

  it('a link can be opened only when it is one of the web', () => {
    const [row] = whole('[a](https://x.org/é "t") [b](ssh://x.org)', 60)
    expect(row).toBe('\u001b]8;;https://x.org/%C3%A9\u001b\\\u001b[4ma\u001b[0m\u001b]8;;\u001b\\ \u001b[4mb\u001b[0m (ssh://x.org)')
  })

  it('fits a table into the width, its widest columns first', () => {
    const table = '| name | what it is |\n|:-----|-----------:|\n| a | short |\n| bb | a text that is much too long for its column |'
    expect(shown(table, 30)).toEqual([
      'name │              what it is',
      '─────┼────────────────────────',
      'a    │                   short',
      'bb   │ a text that is much too',
      '     │     long for its column',
    ])
    expect(shown('| a | b | c | d |\n|---|---|---|---|\n| one word | two words | three | four |', 18)).toEqual([
      'a: one word',
      'b: two words',
      'c: three',
      'd: four',
    ])
  })

  it('goes on with a long table in the columns that it began with', () => {
    const rows = Array.from({ length: 130 }, (_, index) => `| ${index % 100} | x |`)
    const lines = shown(`| n | v |\n|---|---|\n${rows.join('\n')}\n\nend`)
    expect(lines.length).toBe(2 + 130 + 2)
    expect([0, 2, 61, 62, 122, 130, 131, 133].map((row) => lines[row])).toEqual([
      'n  │ v',
      '0  │ x',
      '59 │ x',
      '60 │ x',
      '20 │ x',
      '28 │ x',
      '29 │ x',
      'end',
    ])
  })

  it('counts wide characters and emoji as two, and breaks between them', () => {
    expect(shown('日本語のテキスト です', 10)).toEqual(['日本語のテ', 'キスト で', 'す'])
    expect(shown('👩‍👩‍👧 é e\u0301 👍🏽 end', 8)).toEqual(['👩‍👩‍👧 é e\u0301', '👍🏽 end'])
  })
})

const word = fc.constantFrom(
  'a',
  'word',
  'longer-word',
  '**bold**',
  '*it*',
  '`code`',
  '日本',
  '👍',
  'e\u0301',
  '[l](https://x.org)',
  '|',
  '<b>',
  '&amp;',
  '1.',
  '-',
  '#',
  '~~x~~',
  '***',
  '\\*',
  '_u_',
  'x'.repeat(40),
)
const inlineText = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
const line = fc.oneof(
  inlineText,
  inlineText.map((text) => `- ${text}`),
  inlineText.map((text) => `  - ${text}`),
  inlineText.map((text) => `1. ${text}`),
  inlineText.map((text) => `   ${text}`),
  inlineText.map((text) => `> ${text}`),
  inlineText.map((text) => `## ${text}`),
  inlineText.map((text) => `| ${text} | b |`),
  fc.constantFrom(
    '',
    '',
    '```ts',
    '```',
    '~~~',
    '---',
    '===',
    '***',
    '|---|---|',
    '| a | b |\n|---|:-:|',
    '    code',
    '\ttab',
    '<div>',
    '</div>',
    '[x]: https://x.org',
    '- [x] t',
    '-',
    '1.',
  ),
)
const markdown = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))
const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 })
const width = fc.integer({ min: 4, max: 100 })

function* pieces(text: string, lengths: readonly number[]): Generator<string> {
  for (let at = 0, index = 0; at < text.length; index++) {
    const length = lengths[index % lengths.length]!
    yield text.slice(at, at + length)
    at += length
  }
}

describe('markdown that is streamed', { timeout: 300_000 }, () => {
  it('stays on the screen as if it had come in one piece, and was never wider', () => {
    fc.assert(
      fc.property(markdown, cuts, width, (text, lengths, columns) => {
        const stream = new MarkdownStream(Lexer)
        const region = new LiveRegion()
        const terminal = new VirtualTerminal(columns + 1, 12)
        let widest = 0
        const finish = (rows: readonly string[], live: readonly string[]): void => {
          terminal.write(
            `${region.erase(columns + 1)}${rows.map((row) => `${row}\n`).join('')}${region.draw(live.slice(-11), columns + 1)}`,
          )
        }
        for (const piece of pieces(text, lengths)) {
          const rows = stream.push(piece, columns)
          const live = stream.open(columns)
          widest = Math.max(widest, ...[...rows, ...live].map(rowWidth))
          finish(rows, live)
        }
        finish(stream.end(columns), [])
        const once = new VirtualTerminal(columns + 1, 12)
        once.write(
          whole(text, columns)
            .map((row) => `${row}\n`)
            .join(''),
        )
        expect({ cells: terminal.cells, unknown: terminal.unknown, fits: widest <= columns }).toEqual({
          cells: once.cells,
          unknown: [],
          fits: true,
        })
      }),
      runs(50),
    )
  })

  it('shows as open what it would be if it ended there', () => {
    fc.assert(
      fc.property(markdown, width, (text, columns) => {
        // Signs that are not closed yet are shown closed: that is the one difference there may be.
        const complete = `${text}\n`
        const stream = new MarkdownStream(Lexer)
        expect([...stream.push(complete, columns), ...stream.open(columns)]).toEqual(whole(complete, columns))
      }),
    )
  })

  it('looks at no part again that is finished: a long answer costs as much for each line as a short one', () => {
    let lexed = 0
    class Counting extends Lexer {
      override lex(text: string): TokensList {
        lexed += text.length
        return super.lex(text)
      }
    }
    const costOf = (count: number): number => {
      const stream = new MarkdownStream(Counting as typeof Lexer)
      lexed = 0
      for (let index = 0; index < count; index++) {
        stream.push(`Paragraph ${index % 10} of *many*.\n\n- a\n- b\n\n\`\`\`ts\nlet a\n\`\`\`\n\n`, 80)
        stream.open(80)
      }
      return lexed
    }
    expect(costOf(100)).toBe(costOf(10) * 10)
  })

  it('cuts a paragraph that has no end, so that what is open stays small', () => {
    const stream = new MarkdownStream(Lexer)
    for (let index = 0; index < 1000; index++) stream.push('word and word ', 80)
    expect(stream.open(80).length).toBeLessThan(2 * Math.ceil(4000 / 79) + 4)
    const text = 'word '.repeat(5000)
    expect(whole(text, 80).join(' ').replaceAll(/ +/g, ' ').trim()).toBe(text.trim())
  })
})
