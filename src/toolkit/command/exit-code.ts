import { parseScript } from './parse.ts'
import type { SimpleCommand } from './parse.ts'

/** Programs whose exit code 1 is an answer and no failure. */
const answers: Readonly<Record<string, string>> = {
  grep: 'nothing matched',
  egrep: 'nothing matched',
  fgrep: 'nothing matched',
  zgrep: 'nothing matched',
  rg: 'nothing matched',
  ag: 'nothing matched',
  pgrep: 'no process matched',
  diff: 'the files differ',
  cmp: 'the files differ',
  test: 'the condition is false',
  '[': 'the condition is false',
  '[[': 'the condition is false',
  'git grep': 'nothing matched',
  'git diff': 'there are differences',
}

/**
 * What an exit code of 1 says, where it says that the answer is no. `undefined` where it means a failure, or where it cannot be
 * told which command it came from.
 */
export function explainExit(script: string, exitCode: number, output: string): string | undefined {
  if (exitCode !== 1) return undefined
  const commands = parseScript(script).commands.filter(({ isInner }) => !isInner)
  const [name = '', second = ''] = commands.at(-1)?.words.map(({ text }) => text) ?? []
  if (commands.at(-1)?.isNegated) return undefined
  const called = name === 'git' ? `git ${second}` : name
  const answer = answers[called]
  return answer !== undefined && isOfTheLast(script, commands, output) ? `${answer}: exit code 1 of "${called}" is no error` : undefined
}

/** Did the exit code come from the last command, whatever those before it did? */
function isOfTheLast(script: string, commands: readonly SimpleCommand[], output: string): boolean {
  let first = commands.length - 1
  while (commands[first]!.after === '|') {
    if (script.includes('pipefail')) return false
    first--
  }
  const { after } = commands[first]!
  if (after === '' || after === ';' || after === '||' || after === '&') return !/\bset\s+-(\w*e|o\s+errexit)/.test(script)
  // Behind `&&` it may be the exit code of those before; only `cd` is known to say so when it fails.
  return after === '&&' && commands.slice(0, first).every(({ words }) => words[0]?.text === 'cd') && !/\bcd: /.test(output)
}
