import { join } from 'node:path'
import { exitCodes } from '../exit-code.ts'
import { notesTo } from '../notes.ts'
import { safeJson } from '../sanitise.ts'
import { styleFor } from '../style.ts'
import { visible } from '../trust/visible.ts'
import { UsageError } from '../usage-error.ts'
import type { McpRun } from './command.ts'
import { projectFileName, projectMcpFolder, userMcpPath } from './config-files.ts'
import { variablesOf } from './describe-server.ts'
import { editServers } from './edit-file.ts'
import { keepTrust } from './keep-trust.ts'
import { maskedLine, maskServer } from './mask.ts'
import { faultOf } from './server-client.ts'

/** Writes a server into the user's file, or the project's. It is not started. */
export async function addServer({ io, out, err, workspace, mcp }: McpRun): Promise<number> {
  const { scope = 'user', force } = mcp
  const name = checkedName(mcp.name!)
  const server = serverOf(mcp)
  const folder = scope === 'user' ? workspace : projectMcpFolder(workspace)
  const path = scope === 'user' ? userMcpPath(io) : join(folder, projectFileName)
  // It says what is wrong with it, before it is written. Variables need not be set yet.
  const env = { ...Object.fromEntries(variablesOf(server).map((variable) => [variable, 'set-later'])), ...io.env }
  const fault = await faultOf({ io: { ...io, env }, workspace, name, server, file: { path, folder } })
  if (fault !== undefined) throw new UsageError(fault)
  const isTrusted = await editServers(
    path,
    scope === 'project',
    (servers) => {
      if (Object.hasOwn(servers, name) && !force)
        throw new UsageError(
          `${path} has a server ${JSON.stringify(name)} already: ${maskedLine(servers[name])}. Give it another name, or --force to replace it.`,
        )
      return { ...servers, [name]: server }
    },
    async (edited) => scope === 'user' || (await keepTrust(io, folder, edited)),
  )
  if (mcp.json) {
    out.line(safeJson({ name, scope, path, ...maskServer(server) }))
    return exitCodes.done
  }
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false, out })
  out.line(visible(`Added ${name} to ${path}. Try it with \`lena mcp test ${name}\`.`))
  if (scope === 'project' && Object.values({ ...mcp.env, ...mcp.headers }).some((value) => !value.includes('${')))
    notes.warn(
      "Values of --env and --header stand in the file of the project, as they are. For a secret write '${NAME}', in single quotes: the variable is read when the server is used.",
    )
  if (!isTrusted)
    notes.warn(`${path} is not trusted: what was in it before came from somebody else. Look at it and trust it with \`lena mcp trust\`.`)
  return exitCodes.done
}

/** A name is part of the names of the tools, and of command lines. */
function checkedName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw new UsageError(
    `The name of a server must be letters, digits, ".", "_" and "-", at most 64 and a letter or digit first, got ${JSON.stringify(name)}.`,
  )
}

function serverOf({ name, program, url, transport, headers, env }: McpRun['mcp']): Record<string, unknown> {
  const [command, ...args] = program
  const hasHeaders = Object.keys(headers).length > 0
  const hasEnv = Object.keys(env).length > 0
  if (command !== undefined && url !== undefined)
    throw new UsageError('A server is a program, behind "--", or an address, with --url. Give one of them.')
  if (command !== undefined) {
    if (hasHeaders || transport !== undefined)
      throw new UsageError('--header and --transport are for addresses. A program gets --env NAME=value.')
    return { command, ...(args.length > 0 && { args }), ...(hasEnv && { env }) }
  }
  if (url === undefined)
    throw new UsageError(
      `\`lena mcp add\` needs what to use: lena mcp add ${name} -- COMMAND ARGUMENTS…, or lena mcp add ${name} --url URL.`,
    )
  if (hasEnv) throw new UsageError('--env is for programs. An address gets --header "Name: value".')
  return { type: transport ?? 'http', url, ...(hasHeaders && { headers }) }
}
