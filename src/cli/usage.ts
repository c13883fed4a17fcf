import { commands, commandOf } from './commands/index.ts'
import type { OptionName } from './option-table.ts'
import { rowOf, spelled } from './option-table.ts'

/** The options of a task, in the order of the help. */
export const taskOptions: readonly OptionName[] = [
  'print',
  'output',
  'model',
  'continue',
  'resume',
  'fork',
  'no-session',
  'mode',
  'allow',
  'deny',
  'mcp-config',
  'max-turns',
  'trace',
  'cwd',
  'quiet',
  'help',
  'version',
]

const tail = `
What only reads runs at once; before anything else Lena asks. With nobody to ask (no terminal on stdin, -p, json), it is refused,
and the model is told why. Ctrl-C cancels; twice leaves. A "-" among the words waits for stdin, however long it takes.

Output formats:
  text         the answer as it comes, and a line for each tool call
  json         one object at the end: {"type":"result","ok":…,"stopReason":…,"text":…,"model":…,"usage":…,"metrics":…}
  stream-json  one event a line, and that object last
  A failure is {"type":"error","ok":false,"code":…,"message":…} in its place.

Environment: LENA_MODEL, LENA_MODE, LENA_MAX_TURNS, LENA_CONFIG_DIR, LENA_STATE_DIR, OPENAI_API_KEY and the keys that \`lena models\` names,
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NO_COLOR, LENA_DEBUG=1 (stack traces).
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by a limit, 129 hung up, 130 cancelled, 141 nobody reads, 143 terminated.

Examples:
  lena "what does this project do?"
  git diff | lena -p "write a commit message for this"
  lena --continue "and now the tests"
  lena --model openai/gpt-5.4-mini --output json "list the exported functions of src/index.ts"
`

/** The help for a command; for `task` that of the whole program. */
export function usageOf(name: string): string {
  const command = commandOf(name)
  if (command) {
    const forms = command.forms.map((form) => `  lena ${form}\n`).join('')
    return `${command.about}\n\nUsage:\n${forms}\n${optionLines([...command.options, 'help'])}`
  }
  const rows = [
    ['lena [OPTIONS] TASK…', 'do the task; what comes on stdin is added to it'],
    ['lena [OPTIONS]', 'talk: one line, one task'],
    ...commands.map((each) => [`lena ${each.name}`, each.summary]),
    ['lena help COMMAND', 'more on a command'],
  ] as const
  const width = Math.max(...rows.map(([form]) => form.length))
  const lines = rows.map(([form, what]) => `  ${form.padEnd(width)}  ${what}\n`).join('')
  return `Lena, an agent for the terminal.\n\nUsage:\n${lines}\n${optionLines(taskOptions)}${tail}`
}

function optionLines(names: readonly OptionName[]): string {
  const width = Math.max(...names.map((name) => spelled(name).length))
  return `Options:\n${names.map((name) => `  ${spelled(name).padEnd(width)}  ${rowOf(name).help}\n`).join('')}`
}
