import type { TerminalCell, VirtualTerminal } from '../../test/support/virtual-terminal.ts'

const [cellWidth, rowHeight, padding] = [8.4, 18, 14]
const colours: Readonly<Record<string, string>> = {
  '31': '#e06c75',
  '32': '#98c379',
  '33': '#e5c07b',
  '34': '#61afef',
  '35': '#c678dd',
  '36': '#56b6c2',
}
const [paper, ink, faint] = ['#1e2127', '#d7dae0', '#8b919c']

/** What is on a screen, as a picture. Each piece of text says where it begins and how wide it is, so that any font will do. */
export function svgOf(terminal: VirtualTerminal, title: string, shown: (text: string) => string): string {
  const rows = terminal.cells.slice(-terminal.rows)
  const [width, height] = [terminal.columns * cellWidth + 2 * padding, rows.length * rowHeight + 2 * padding]
  const lines = rows.flatMap((row, index) => runs(row, shown).map((run) => piece(run, index)))
  if (terminal.modes.has('25')) {
    const { row, column } = terminal.cursor
    const at = row + rows.length - terminal.screen.length
    lines.push(
      `<rect x="${x(column)}" y="${padding + at * rowHeight + 2}" width="${cellWidth}" height="${rowHeight - 3}" fill="${ink}" opacity="0.7"/>`,
    )
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${ink}" xml:space="preserve">
${lines.join('\n')}
</g>
</svg>
`
}

type Run = { text: string; readonly look: string; readonly column: number; columns: number }

function runs(row: readonly TerminalCell[], shown: (text: string) => string): readonly Run[] {
  const all: Run[] = []
  row.forEach(({ text, look }, column) => {
    const last = all.at(-1)
    // A wide character is placed by itself.
    if (last && last.look === look && text !== '' && !/[^\u0020-\u2fff]/.test(last.text + text)) {
      last.text += text
      last.columns++
    } else if (text === '') last!.columns++
    else all.push({ text, look, column, columns: 1 })
  })
  return all
    .map((run) => {
      const text = shown(run.text)
      return text === run.text ? run : { ...run, text, columns: text.length }
    })
    .filter(({ text }) => text.trim() !== '')
}

function piece({ text, look, column, columns }: Run, row: number): string {
  const codes = look.split(';')
  const has = (code: string): boolean => codes.includes(code)
  const colour = codes.map((code) => colours[code]).find(Boolean) ?? (has('2') ? faint : undefined)
  const decoration = [has('4') && 'underline', has('9') && 'line-through'].filter(Boolean).join(' ')
  const attributes = [
    `x="${x(column)}"`,
    `y="${padding + row * rowHeight + 13}"`,
    `textLength="${round(columns * cellWidth)}"`,
    colour && `fill="${colour}"`,
    has('1') && 'font-weight="bold"',
    has('3') && 'font-style="italic"',
    decoration !== '' && `text-decoration="${decoration}"`,
  ]
  return `<text ${attributes.filter(Boolean).join(' ')}>${escaped(text)}</text>`
}

const x = (column: number): number => round(padding + column * cellWidth)
const round = (number: number): number => Math.round(number * 10) / 10
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
