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
    const width = Math.max(...rows.map(([form]) => form!.length))
    out.line('A line is a task; the conversation goes on from it. Ctrl-C cancels a task, at the prompt it leaves.')
    for (const [form, text] of rows) out.line(`  ${form!.padEnd(width)}  ${text}`)
  },
})
