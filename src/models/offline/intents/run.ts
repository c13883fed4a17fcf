import type { CommandRun } from '../acts/shell.ts'
import { run as runCommand, shellWord } from '../acts/shell.ts'
import { code, fenced, listed, plural, shortened } from '../language/english.ts'
import type { Phrase } from '../language/phrase.ts'
import { gap, quoteWord } from '../language/quotes.ts'
import type { Finding } from '../site.ts'
import { failed, joined } from '../site.ts'
import { all } from '../work.ts'
import type { Intent, Task } from './intent.ts'

const verbs =
  /^\W*(?:run|execute|exec)\s+(?:(?:(?:the|this|these|my|a|both)\s+)?(?:(?:shell|terminal|following|bash|two|three)\s+)*(?:commands?|programs?|command line|lines?)\b\s*:?\s*|(?:this|these|the following)\s*:\s*|(?:this|these|both)\s+(?=\uE000))?/i
const outputOf =
  /^\W*(?:(?:what(?:'s|’s| is| does)|show|give|tell|get|print|say|see)\s+(?:me\s+)?)?(?:the\s+)?(?:output|result|exit code|stdout)\s+of\s+(?:running\s+)?(?:the\s+)?(?:command\s+)?/i
const whatPrints = /^\W*what\s+does\s+(?=.*\b(?:print|output|say|return|do)\W*$)/i

/** Programs that people call without saying "run". */
const programs =
  'npm|npx|pnpm|yarn|bun|bunx|deno|node|tsc|tsx|vitest|jest|eslint|git|gh|docker|kubectl|python|python3|pip|pip3|pytest|uv|cargo|rustc|ruby|bundle|java|javac|mvn|gradle|php|composer|dotnet|curl|wget|ls|pwd|whoami|uname|hostname|uptime|df|du|ps|env|which|echo|printf|wc|sort|uniq|sed|awk|jq|tree|stat|mkdir|rmdir|cp|mv|rm|ln|chmod|tar|zip|unzip|cd|bash|sh|zsh|ping|id|nproc|free|lscpu|cmake|sqlite3|psql'

const bareCommand = new RegExp(`^[\\s$]*((?:${programs})(?:\\s+\\S.*)?|(?:grep|find|cat|head|tail|find \\.|find \\S+/?)\\s+-.*)$`, 's')
const quotedCommands = new RegExp(
  `^(${quoteWord}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+)${quoteWord})*)(?:\\s+(?:in|with)\\s+(?:the\\s+)?(?:shell|terminal|bash|command line))?(?:\\s+(?:print|output|say|return|do|at once|in parallel|together|at the same time))?[.?!:]*$`,
)
const beginsWithProgram = new RegExp(`^(?:\\$ )?(?:${programs})(?:\\s|$)`)
const betweenCommands = new RegExp(`(?:\\s+and\\s+|\\s*,\\s+(?:and\\s+)?)(?:run\\s+)?(?=(?:${programs})(?:\\s|$))`)

/* Words of English sentences. A command line that is not quoted and has one of these is hardly one. */
const prose = / (?:the|a|an|my|me|away|again|with|for|into|about|it|them|this|that|some|all|and) /i
const conditions = /\s(?:if|unless|when|until|except|without|because|before|after|but|instead)\s/i
const maxLines = 60

export const run: Intent = {
  name: 'run',
  examples: ['run `npm test`', 'run git status'],
  group: 'Run commands',
  tools: ['shell'],
  starts: `run|execute|exec|\\$\\s|(?:npm|npx|pnpm|yarn|git|node|docker|cargo|python3?)\\s+[\\w-]`,
  recognise: (phrase) => {
    const commands = commandsIn(phrase)
    return commands && commands.length > 0 ? runTask(commands) : undefined
  },
}

export function runTask(commands: readonly string[]): Task {
  return {
    aim: `run ${listed(commands.map((command) => code(shortened(command, 200))))}`,
    acts: 'runs',
    work: function* (site) {
      const runs = yield* all(commands.map((command) => runCommand(site, command, `run ${code(command)}`, 'acts')))
      const findings = runs.map((ran) => (ran.ok ? runFinding(ran.value) : failed(ran.said)))
      const codes = findings.map(({ exitCode }) => exitCode)
      return { ...joined(findings), exitCode: codes.find((exitCode) => exitCode !== 0) ?? codes[0] }
    },
  }
}

function commandsIn(phrase: Phrase): readonly string[] | undefined {
  const called = phrase.take(verbs) ?? phrase.take(outputOf)
  const asks = called === undefined && phrase.take(whatPrints) !== undefined
  const words = phrase.text.replaceAll(gap, ' ').trim()
  const quoted = quotedCommands.exec(words)
  if (quoted && (called || asks || isCommandAlone(phrase, words))) {
    const commands = [...quoted[1]!.matchAll(new RegExp(quoteWord, 'g'))].map(([quote]) =>
      phrase.quote(quote)!.text.trim().replace(/^\$ /, ''),
    )
    if (asks && !commands.every((command) => beginsWithProgram.test(command))) return undefined
    phrase.takeAll()
    return commands.filter((command) => command !== '')
  }
  if (asks) return undefined
  const bare = bareCommand.exec(phrase.raw(words))?.[1]
  // "run the tests" and "run a check" name no command.
  if (
    called
      ? /^(?:the|a|an|all|my|some|it|them|this|that|everything|tests?|lint|build)\b/i.test(words) || !/^[\w./~-]/.test(phrase.raw(words))
      : bare === undefined || !readsAsCommand(bare)
  )
    return undefined
  // "run away with it" is not either.
  if (!beginsWithProgram.test(phrase.raw(words)) && prose.test(` ${words} `)) return undefined
  // "run npm test if …" is no command, and half of it must not be run.
  if (conditions.test(` ${words} `)) return undefined
  phrase.takeAll()
  const line = phrase
    .raw(words)
    .replace(/^\$\s+/, '')
    .replace(/\s+(?:in|with)\s+(?:the\s+)?(?:shell|terminal|bash)$/i, '')
    .replace(/(?<=[\w"'`)])[.?!,]+$/, '')
  return commandsOf(line)
}

/** A quoted command that is the whole request. */
const isCommandAlone = (phrase: Phrase, words: string): boolean =>
  phrase.quote(words)?.kind === 'code' && beginsWithProgram.test(phrase.quote(words)!.text)

/** Without "run", a program's name must not begin an English sentence: "which files …", "sort the lines". */
const readsAsCommand = (line: string): boolean =>
  !/^(?:which|sort|echo|env|free|id|tree|stat|sh)\s+(?:the|a|an|is|are|of|my|files?|folders?|lines?|does|do|in|one)\b/i.test(line) &&
  !/[?]$/.test(line)

/** "npm test and npm run lint" are two commands; "echo salt and pepper" is one. */
function commandsOf(line: string): readonly string[] {
  const placed =
    /^(.*\S)\s+in\s+(?:the\s+)?(?:(?:folder|directory)\s+)?([\w@.-]*\/[\w@./-]*|[\w@.-]+(?=\s+(?:folder|directory)$))(?:\s+(?:folder|directory))?$/i.exec(
      line,
    )
  const [text, folder] = placed ? [placed[1]!, placed[2]!] : [line, undefined]
  const commands = text.split(betweenCommands)
  // In a shell of its own: the folder of later commands stays what it is.
  return commands.map((command) => (folder === undefined ? command.trim() : `(cd ${shellWord(folder)} && ${command.trim()})`))
}

function runFinding({ command, exitCode, output, cut }: CommandRun): Finding {
  const name = code(shortened(command, 200))
  const how = exitCode === undefined ? 'ran' : exitCode === 0 ? 'ran without an error (exit code 0)' : `failed with exit code ${exitCode}`
  if (output === '')
    return { say: `${name} ${how} and printed nothing.`, value: '', exitCode, failed: exitCode !== undefined && exitCode !== 0 }
  const lines = output.split('\n')
  const shown =
    lines.length <= maxLines
      ? lines
      : [...lines.slice(0, 10), `… ${plural(lines.length - maxLines, 'line')} left out here …`, ...lines.slice(10 - maxLines)]
  return {
    say: `${name} ${how}:\n\n${fenced(shown.join('\n'))}${cut ? '\n\nThe tool left a part of the output out.' : ''}`,
    value: output,
    partial: cut,
    exitCode,
    failed: exitCode !== undefined && exitCode !== 0,
  }
}
