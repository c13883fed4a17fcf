import type { Tool } from '../../index.ts'
import type { McpServerInfo } from '../../mcp/index.ts'
import { elicitFromNobody } from '../elicitation/at-terminal.ts'
import { codeOfCause, exitCodes } from '../exit-code.ts'
import { notesTo } from '../notes.ts'
import { safeJson, showControls } from '../sanitise.ts'
import { watchForStop } from '../stop.ts'
import { styleFor } from '../style.ts'
import { table } from '../table.ts'
import { visible } from '../trust/visible.ts'
import { personAt } from './at-terminal.ts'
import type { Person } from './at-terminal.ts'
import type { McpRun } from './command.ts'
import { mcpFiles } from './config-files.ts'
import { serverNamed } from './log-in.ts'
import { prefixesOf } from './prefixes.ts'
import { clientOf } from './server-client.ts'
import { serversOf, trustedFiles } from './servers-of.ts'
import type { McpServer } from './servers-of.ts'

type ToolShown = Pick<Tool, 'name' | 'description'> & {
  readonly isReadOnly: boolean
  readonly isDestructive: boolean
  readonly isConcurrencySafe: boolean
}

type Tested = {
  readonly name: string
  readonly ok: boolean
  /** From the start of the server to the list of its tools. */
  readonly ms: number
  readonly server: McpServerInfo | null
  readonly tools: readonly ToolShown[]
  readonly error: { readonly code: string; readonly message: string } | null
}

/** Connects to one server, or all, and lists their tools. The exit code is 1 when one fails. */
export async function testServers(run: McpRun): Promise<number> {
  const { io, out, err, workspace, mcp } = run
  const stop = watchForStop(io, out)
  try {
    const person = personAt(run, stop)
    const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false, out })
    const warn = (text: string): void => notes.warn(text)
    const { files, problems } = await mcpFiles({ io, workspace, given: mcp.given })
    for (const problem of problems) warn(problem)
    const trusted = await trustedFiles(files, { io, ask: person?.ask, warn, signal: stop.signal })
    if (stop.cause) return codeOfCause[stop.cause]
    const all = serversOf(trusted)
    const prefixes = prefixesOf(all.map(({ name }) => name))
    const chosen = mcp.name === undefined ? all : [serverNamed(all, mcp.name)]
    const testing = chosen.map((server) => tested(run, server, { prefix: prefixes.get(server.name)!, person, warn, signal: stop.signal }))
    const results: Tested[] = []
    // In their order, each as soon as it and those before it are there.
    for (const test of testing) {
      const result = await test
      if (!result) continue
      results.push(result)
      if (!mcp.json && !stop.cause) out.write(shown(result, styleFor(io.stdout, io.env)))
    }
    if (stop.cause) return codeOfCause[stop.cause]
    if (mcp.json) out.line(safeJson({ servers: results }))
    else if (results.length === 0) out.line('No MCP servers to test.')
    return results.every(({ ok }) => ok) && problems.length === 0 ? exitCodes.done : exitCodes.failed
  } finally {
    stop.dispose()
  }
}

type TestOptions = {
  readonly prefix: string
  readonly person: Person | undefined
  readonly warn: (text: string) => void
  readonly signal: AbortSignal
}

/** `undefined` for one that is disabled. */
async function tested({ io, workspace }: McpRun, { name, server, file }: McpServer, options: TestOptions): Promise<Tested | undefined> {
  const { prefix, person, warn, signal } = options
  const since = io.clock.now()
  const result = (more: Partial<Tested>): Tested => ({
    name,
    ok: false,
    ms: io.clock.now() - since,
    server: null,
    tools: [],
    error: null,
    ...more,
  })
  try {
    // A server may have tools for those alone who can be asked, as they can in a run. Here nothing is called.
    const elicit = elicitFromNobody(warn)
    const client = await clientOf({ io, workspace, name, server, file, prefix, warn, openUrl: person?.openUrl(name), elicit })
    if (!client) return undefined
    try {
      await client.connect({ signal })
      const tools = (await client.listTools({ signal })).map(toolShown)
      return result({ ok: true, server: client.serverInfo, tools })
    } finally {
      await client.close()
    }
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string }
    return result({ error: { code: typeof code === 'string' ? code : 'error', message } })
  }
}

/** A server's flags are known beforehand. */
const toolShown = ({ name, description, isReadOnly, isDestructive, isConcurrencySafe }: Tool): ToolShown => ({
  name,
  description,
  isReadOnly: isReadOnly === true,
  isDestructive: isDestructive === true,
  isConcurrencySafe: isConcurrencySafe === true,
})

function shown({ name, ok, ms, server, tools, error }: Tested, style: ReturnType<typeof styleFor>): string {
  const head = `${ok ? style.green(style.ok) : style.red(style.bad)} ${style.bold(visible(name))}`
  if (error) return `${head}: ${showControls(error.message, '\n').replaceAll('\n', '\n    ')}\n`
  const who = [server?.name, server?.version].filter((part) => part !== undefined).join(' ')
  const spoken = server?.protocolVersion === undefined ? '' : `, MCP ${server.protocolVersion}`
  const first = `${head}: ${visible(who)}${visible(spoken)}, ${tools.length} tool${tools.length === 1 ? '' : 's'}, ${ms} ms\n`
  if (tools.length === 0) return first
  const yes = (flag: boolean): string => (flag ? 'yes' : 'no')
  const rows = tools.map((tool) => [
    visible(tool.name),
    yes(tool.isReadOnly),
    yes(tool.isDestructive),
    yes(tool.isConcurrencySafe),
    brief(tool.description),
  ])
  const lines = table([['TOOL', 'READ-ONLY', 'DESTRUCTIVE', 'CONCURRENT', 'WHAT IT DOES'], ...rows])
  return `${first}${lines.replaceAll(/^(?=.)/gm, '  ')}`
}

/** What a tool does in a few words: its first line. */
function brief(description: string): string {
  const [line = ''] = description.trim().split('\n')
  return visible(line.length > 80 ? `${line.slice(0, 77)}...` : line)
}
