import { dirname } from 'node:path'
import { exitCodes } from '../exit-code.ts'
import { didYouMean } from '../near.ts'
import { notesTo } from '../notes.ts'
import { safeJson } from '../sanitise.ts'
import { styleFor } from '../style.ts'
import { visible } from '../trust/visible.ts'
import { UsageError } from '../usage-error.ts'
import type { McpRun } from './command.ts'
import { mcpFiles } from './config-files.ts'
import { editServers } from './edit-file.ts'
import { keepTrust } from './keep-trust.ts'

/** Takes a server out of the file that names it. */
export async function removeServer({ io, out, err, workspace, mcp }: McpRun): Promise<number> {
  const name = mcp.name!
  const { files, problems } = await mcpFiles({ io, workspace, given: [] })
  const wanted = files.filter(({ scope }) => mcp.scope === undefined || scope === mcp.scope)
  const [file, another] = wanted.filter(({ servers }) => servers.has(name))
  if (!file) {
    const known = wanted.flatMap(({ servers }) => [...servers.keys()])
    throw new UsageError(
      `There is no MCP server ${JSON.stringify(name)}${mcp.scope === undefined ? '' : ` in the file of the ${mcp.scope}`}.${didYouMean(name, known)} ${[...problems, known.length === 0 ? 'There are none.' : `There are: ${known.join(', ')}.`].join(' ')}`,
    )
  }
  if (another)
    throw new UsageError(
      `Both ${file.path} and ${another.path} have a server ${JSON.stringify(name)}. Say which with --scope user or --scope project.`,
    )
  const isTrusted = await editServers(
    file.path,
    file.scope === 'project',
    (servers) => {
      const { [name]: _, ...others } = servers
      return others
    },
    async (edited) => file.scope === 'user' || (await keepTrust(io, dirname(file.path), edited)),
  )
  if (mcp.json) out.line(safeJson({ name, scope: file.scope, path: file.path }))
  else out.line(visible(`Removed ${name} from ${file.path}.`))
  if (!isTrusted && !mcp.json)
    notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false, out }).warn(`${file.path} is not trusted, as before.`)
  return exitCodes.done
}
