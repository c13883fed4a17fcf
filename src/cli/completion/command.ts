import type { CommandRun } from '../command.ts'
import { exitCodes } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const shells: Readonly<Record<string, () => string>> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** `lena completion bash|zsh|fish` */
export async function completionCommand({ out, words }: CommandRun): Promise<number> {
  const [shell, ...rest] = words
  const make = shell === undefined || rest.length > 0 ? undefined : shells[shell]
  if (!make) throw new UsageError(`\`lena completion\` needs the name of one shell: ${Object.keys(shells).join(', ')}.`)
  out.write(make())
  return exitCodes.done
}
