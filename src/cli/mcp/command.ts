import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'
import { usageOf } from '../usage.ts'
import { asksForHelp, mcpWords } from './command-words.ts'
import type { McpWords } from './command-words.ts'

/** A command of `lena mcp`, with its words understood. */
export type McpRun = CommandRun & { readonly mcp: McpWords }

/** `lena mcp [list | add | remove | test | login | logout | trust | untrust]`. Gives the exit code. */
export async function mcpCommand(run: CommandRun): Promise<number> {
  if (asksForHelp(run.words)) {
    run.out.write(usageOf('mcp'))
    return exitCodes.done
  }
  const mcp = mcpWords(run)
  const given: McpRun = { ...run, mcp, workspace: mcp.cwd === undefined ? run.workspace : await folderAt(resolve(run.io.cwd, mcp.cwd)) }
  switch (mcp.verb) {
    case 'list':
      return await (await import('./list-servers.ts')).listServers(given)
    case 'add':
      return await (await import('./add-server.ts')).addServer(given)
    case 'remove':
      return await (await import('./remove-server.ts')).removeServer(given)
    case 'test':
      return await (await import('./test-servers.ts')).testServers(given)
    case 'login':
      return await (await import('./log-in.ts')).logIn(given)
    case 'logout':
      return await (await import('./log-in.ts')).logOut(given)
    case 'trust':
      return await (await import('./trust-project.ts')).trustProject(given)
    case 'untrust':
      return await (await import('./trust-project.ts')).untrustProject(given)
  }
}

async function folderAt(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new UsageError(`--cwd must be a folder, but ${JSON.stringify(path)} is none.`)
  return path
}
