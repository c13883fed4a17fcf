import { wrapText } from '../screen/wrap.ts'
import type { SlashCommand } from './slash-command.ts'

/** Tells of all commands, of itself too. */
export const helpFor = (all: () => readonly SlashCommand[]): SlashCommand => ({
  name: 'help',
  help: 'this text',
  run({ out }) {
    const rows = all().map(({ name, aliases = [], argument, help: text }) => [
      `/${name}${argument === undefined ? '' : ` ${argument}`}`,
      aliases.length === 0
        ? text
        : `${text} (also ${[...aliases.map((alias) => `/${alias}`), ...(name === 'exit' ? ['Ctrl-D'] : [])].join(', ')})`,
    ])
    rows.push(
      ['!COMMAND', 'run it in the shell yourself; the model hears of it with your next message'],
      ['!!COMMAND', 'the same, and the model does not hear of it'],
      ['@FILE', 'completes with Tab; an image (PNG, JPEG, GIF, WebP) is sent with the line'],
    )
    const width = out.width - 1
    const widest = Math.max(...rows.map(([form]) => form!.length))
    // A form that is long stands above its text, so that the text of all has room.
    const column = Math.min(widest, Math.max(10, Math.floor(width / 3)))
    for (const row of wrapText(
      'A line is a task; the conversation goes on from it. Ctrl-C cancels a task, at the prompt it leaves.',
      width,
    ))
      out.line(row)
    for (const [form, text] of rows) {
      const [first = '', ...rest] = wrapText(text!, Math.max(10, width - column - 4))
      const indent = ' '.repeat(column + 4)
      out.line(form!.length > column ? `  ${form}\n${indent}${first}` : `  ${form!.padEnd(column)}  ${first}`)
      for (const row of rest) out.line(`${indent}${row}`)
    }
  },
})
