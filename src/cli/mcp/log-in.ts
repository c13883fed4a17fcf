import { codeOfCause, exitCodes } from '../exit-code.ts'
import { didYouMean } from '../near.ts'
import { notesTo } from '../notes.ts'
import { safeJson } from '../sanitise.ts'
import { watchForStop } from '../stop.ts'
import { styleFor } from '../style.ts'
import { visible } from '../trust/visible.ts'
import { UsageError } from '../usage-error.ts'
import { personAt } from './at-terminal.ts'
import type { McpRun } from './command.ts'
import { mcpFiles } from './config-files.ts'
import { forgetLogin } from './login-store.ts'
import { clientOf } from './server-client.ts'
import { isObject } from './servers-in.ts'
import { serversOf, trustedFiles } from './servers-of.ts'
import type { McpServer } from './servers-of.ts'

/** Logs in to a server over HTTP, in a browser. Later runs use that login. */
export async function logIn(run: McpRun): Promise<number> {
  const { io, out, err, workspace, mcp } = run
  const stop = watchForStop(io, out)
  try {
    const person = personAt(run, stop)
    if (!person)
      throw new UsageError('`lena mcp login` needs a terminal, and a person who opens a page. For machines give the server a header.')
    const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false, out })
    const warn = (text: string): void => notes.warn(text)
    const { files } = await mcpFiles({ io, workspace, given: mcp.given })
    const trusted = await trustedFiles(files, { io, ask: person.ask, warn, signal: stop.signal })
    if (stop.cause) return codeOfCause[stop.cause]
    const { name, server, file } = addressNamed(serversOf(trusted), mcp.name!)
    const client = await clientOf({ io, workspace, name, server, file, prefix: '', warn, openUrl: person.openUrl(name) })
    if (!client) throw new UsageError(`The MCP server ${JSON.stringify(name)} is disabled in ${file.path}.`)
    try {
      await client.connect({ signal: stop.signal })
    } catch (error) {
      if (stop.cause) return codeOfCause[stop.cause]
      throw error
    } finally {
      await client.close()
    }
    out.line(visible(`Connected to ${name}. A login is kept for later runs; \`lena mcp logout ${name}\` forgets it.`))
    return exitCodes.done
  } finally {
    stop.dispose()
  }
}

/** Forgets the login to a server. Nothing is told to the server. */
export async function logOut({ io, out, workspace, mcp }: McpRun): Promise<number> {
  // To forget harms nobody: no trust is needed.
  const { files } = await mcpFiles({ io, workspace, given: mcp.given })
  const { name, url } = addressNamed(serversOf(files), mcp.name!)
  const wasLoggedIn = await forgetLogin(io, url)
  if (mcp.json) out.line(safeJson({ name, wasLoggedIn }))
  else out.line(visible(wasLoggedIn ? `The login to ${name} is forgotten.` : `There was no login to ${name}.`))
  return exitCodes.done
}

function addressNamed(servers: readonly McpServer[], name: string): McpServer & { readonly url: string } {
  const found = serverNamed(servers, name)
  const { url, command } = isObject(found.server) ? found.server : {}
  if (typeof url !== 'string' || command !== undefined)
    throw new UsageError(`The MCP server ${JSON.stringify(name)} is a program. One logs in to servers with a "url".`)
  return { ...found, url }
}

export function serverNamed(servers: readonly McpServer[], name: string): McpServer {
  const found = servers.find((server) => server.name === name)
  if (found) return found
  const known = servers.map((server) => server.name)
  throw new UsageError(
    `There is no MCP server ${JSON.stringify(name)} to use.${didYouMean(name, known)} ${known.length === 0 ? 'There are none.' : `There are: ${known.join(', ')}.`} \`lena mcp list\` shows all.`,
  )
}
