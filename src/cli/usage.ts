import { optionNames, rowOf, spelled } from './option-table.ts'
import type { CommandName } from './option-table.ts'

const heads: Record<CommandName, string> = {
  task: `Lena, an agent for the terminal.

Usage:
  lena [OPTIONS] TASK…     do the task; what comes on stdin is added to it
  lena                     talk: one line, one task
  lena tools               the tools, their flags and the budgets of their results
  lena models              what --model takes
  lena help COMMAND        more on a command
`,
  tools: `Lists the tools that the model can call: whether a tool only reads, may do what cannot be undone, and may run beside
others; and how many characters of a result the model gets. "by input" is decided for each call.

Usage:
  lena tools [OPTIONS]
`,
  models: `Lists what --model takes, and which model is used when it is not given.

Usage:
  lena models [OPTIONS]
`,
}

const tails: Record<CommandName, string> = {
  task: `
What only reads runs at once; before anything else Lena asks. With nobody to ask (no terminal on stdin, -p, json), it is refused,
and the model is told why. Ctrl-C cancels; twice leaves. A "-" among the words waits for stdin, however long it takes.

Output formats:
  text         the answer as it comes, and a line for each tool call
  json         one object at the end: {"type":"result","ok":…,"stopReason":…,"text":…,"model":…,"usage":…,"metrics":…}
  stream-json  one event a line, and that object last
  A failure is {"type":"error","ok":false,"code":…,"message":…} in its place.

Environment: LENA_MODEL, OPENAI_API_KEY, NO_COLOR, LENA_DEBUG=1 (stack traces).
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by a limit, 129 hung up, 130 cancelled, 141 nobody reads, 143 terminated.

Examples:
  lena "what does this project do?"
  git diff | lena -p "write a commit message for this"
  lena --model openai/gpt-5.4-mini --output json "list the exported functions of src/index.ts"
`,
  tools: '',
  models: '',
}

/** The help for a command; for `task` that of the whole program. */
export function usageOf(command: CommandName): string {
  const names = optionNames.filter((name) => rowOf(name).for.includes(command))
  const width = Math.max(...names.map((name) => spelled(name).length))
  const lines = names.map((name) => `  ${spelled(name).padEnd(width)}  ${rowOf(name).help}\n`)
  return `${heads[command]}\nOptions:\n${lines.join('')}${tails[command]}`
}
