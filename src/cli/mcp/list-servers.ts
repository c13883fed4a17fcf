import { loadSettings } from '../config/load-settings.ts'
import { exitCodes } from '../exit-code.ts'
import { notesTo } from '../notes.ts'
import { safeJson } from '../sanitise.ts'
import { styleFor } from '../style.ts'
import { table } from '../table.ts'
import { trustStore } from '../trust/trust-store.ts'
import { visible } from '../trust/visible.ts'
import type { McpRun } from './command.ts'
import { mcpFiles, userMcpPath } from './config-files.ts'
import type { McpFile, McpScope } from './config-files.ts'
import { maskedLine, maskServer } from './mask.ts'
import type { MaskedServer } from './mask.ts'
import { faultOf } from './server-client.ts'
import { isObject } from './servers-in.ts'
import { howToTrust, serversOf } from './servers-of.ts'

/** `hidden`: another one of its name goes before. `off`: the settings say so. `faulty`: `problem` says why. */
type State = 'used' | 'hidden' | 'off' | 'disabled' | 'not_trusted' | 'faulty'

type ServerShown = MaskedServer & {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse' | null
  readonly scope: McpScope
  readonly path: string
  readonly state: State
  readonly problem: string | null
}

/** Lists what is configured, without starting or reaching anything, and without showing a secret. */
export async function listServers({ io, out, err, workspace, mcp }: McpRun): Promise<number> {
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false, out })
  const { files, problems } = await mcpFiles({ io, workspace, given: mcp.given })
  const store = trustStore(io)
  const { values } = await loadSettings(io, workspace)
  const isOff = (name: string, { scope }: McpFile): boolean =>
    scope !== 'given' && (values['mcp.enabled'] === false || (values['mcp.off'] ?? []).includes(name))
  const untrusted = new Set<McpFile>()
  for (const file of files) if (file.project && !(await store.isTrusted(file.project))) untrusted.add(file)
  const used = new Map(serversOf(files.filter((file) => !untrusted.has(file))).map(({ name, file }) => [name, file]))
  const shown: ServerShown[] = []
  for (const file of files.toReversed())
    for (const [name, server] of file.servers) {
      const problem = await faultOf({ io, workspace, name, server, file })
      const isHidden = used.get(name) !== file
      const usable = isOff(name, file) ? 'off' : problem === undefined ? stateOf(server) : 'faulty'
      const state = untrusted.has(file) ? 'not_trusted' : isHidden ? 'hidden' : usable
      const { scope, path } = file
      shown.push({ name, transport: transportOf(server), scope, path, state, problem: problem ?? null, ...maskServer(server) })
    }
  if (mcp.json) {
    out.line(safeJson({ servers: shown, problems }))
    return exitCodes.done
  }
  for (const problem of problems) notes.warn(problem)
  if (shown.length === 0) out.line(visible(`No MCP servers. Add one with \`lena mcp add\`, or write ${userMcpPath(io)}.`))
  else {
    const servers = new Map(files.flatMap((file) => [...file.servers].map(([name, server]) => [`${file.path}\n${name}`, server])))
    const rows = shown.map(({ name, transport, scope, path, state }) =>
      [name, transport ?? '-', scope, state.replace('_', ' '), maskedLine(servers.get(`${path}\n${name}`))].map((cell) => visible(cell)),
    )
    out.write(table([['NAME', 'TRANSPORT', 'SCOPE', 'STATE', 'WHAT'], ...rows]))
  }
  for (const { name, problem, state } of shown) if (problem !== null && state === 'faulty') notes.warn(`${name}: ${problem}`)
  for (const { path } of untrusted) notes.warn(`${path} is not trusted. ${howToTrust}`)
  return exitCodes.done
}

const stateOf = (server: unknown): State => (isObject(server) && server['disabled'] === true ? 'disabled' : 'used')

function transportOf(server: unknown): ServerShown['transport'] {
  if (!isObject(server)) return null
  if (server['command'] !== undefined) return 'stdio'
  if (server['url'] === undefined) return null
  return server['type'] === 'sse' ? 'sse' : 'http'
}
