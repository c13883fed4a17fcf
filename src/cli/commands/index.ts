import type { CommandEntry } from '../command.ts'
import { completion } from './completion.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { mcp } from './mcp.ts'
import { models } from './models.ts'
import { sessions } from './sessions.ts'
import { tools } from './tools.ts'
import { trace } from './trace.ts'

/** All commands, in the order of the help. A new one is a file beside this and a line here; its body is imported when it runs. */
export const commands: readonly CommandEntry[] = [sessions, tools, models, mcp, config, trace, doctor, completion]

export const commandNames: readonly string[] = commands.map(({ name }) => name)

export const commandOf = (name: string | undefined): CommandEntry | undefined => commands.find((command) => command.name === name)
