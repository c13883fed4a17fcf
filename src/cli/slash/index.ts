import { didYouMean } from '../near.ts'
import { UsageError } from '../usage-error.ts'
import { clear } from './clear.ts'
import { compact } from './compact.ts'
import { cost } from './cost.ts'
import { exit } from './exit.ts'
import { helpFor } from './help.ts'
import { jobs } from './jobs.ts'
import { mcp } from './mcp.ts'
import { model } from './model.ts'
import { permissions } from './permissions.ts'
import { sessions } from './sessions.ts'
import type { SlashCommand, Talk } from './slash-command.ts'
import { tools } from './tools.ts'
import { undo } from './undo.ts'

/** All of them, in the order of the help. A new one is a file beside this and a line here. */
export const slashCommands: readonly SlashCommand[] = [
  helpFor(() => slashCommands),
  model,
  tools,
  permissions,
  sessions,
  compact,
  cost,
  mcp,
  jobs,
  undo,
  clear,
  exit,
]

/** A line is one of them when it begins with a slash and one word: a path has another slash in it, and is a task. */
export const slashIn = (line: string): { readonly name: string; readonly argument: string } | undefined => {
  const [, name, argument] = /^\/([a-z?-]*)(?:\s+(.*))?$/is.exec(line) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), argument: argument?.trim() ?? '' }
}

/** @throws {UsageError} for one that there is not; what the command throws. */
export async function runSlash(
  talk: Talk,
  { name, argument }: { readonly name: string; readonly argument: string },
): Promise<void | 'leave'> {
  const found = slashCommands.find((command) => command.name === name || command.aliases?.includes(name))
  if (!found) {
    const names = slashCommands.flatMap((command) => [command.name, ...(command.aliases ?? [])]).map((each) => `/${each}`)
    throw new UsageError(`There is no /${name}.${didYouMean(`/${name}`, names)} /help lists what there is.`)
  }
  if (argument !== '' && found.argument === undefined) throw new UsageError(`/${name} takes no argument, got ${JSON.stringify(argument)}.`)
  return await found.run(talk, argument)
}

/** The lines that this one may become. */
export function slashCompletions(line: string): readonly string[] {
  const [, name, begun] = /^\/(\S*)(?:\s+(.*))?$/s.exec(line) ?? []
  if (name === undefined) return []
  if (begun === undefined) return slashCommands.map((command) => `/${command.name}`).filter((each) => each.startsWith(`/${name}`))
  const found = slashCommands.find((command) => command.name === name)
  return (found?.completions?.() ?? []).filter((each) => each.startsWith(begun)).map((each) => `/${name} ${each}`)
}
