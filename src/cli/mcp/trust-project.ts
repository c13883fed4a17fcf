import { exitCodes } from '../exit-code.ts'
import { safeJson } from '../sanitise.ts'
import { trustStore } from '../trust/trust-store.ts'
import type { ProjectFile } from '../trust/project-file.ts'
import { visible } from '../trust/visible.ts'
import { UsageError } from '../usage-error.ts'
import type { McpRun } from './command.ts'
import { mcpFiles, projectFileName } from './config-files.ts'
import type { McpFile } from './config-files.ts'
import { describeServers } from './servers-of.ts'

/** Trusts the project's file as it is now, and shows what that means. */
export async function trustProject({ io, out, workspace, mcp }: McpRun): Promise<number> {
  const { project, servers } = await projectOf({ io, workspace })
  await trustStore(io).trust(project)
  if (mcp.json) out.line(safeJson({ path: project.path, sha256: project.hash, servers: [...servers.keys()] }))
  else {
    for (const line of describeServers(servers)) out.line(`  ${line}`)
    out.line(visible(`${project.path} is trusted until it changes. \`lena mcp untrust\` takes that back.`))
  }
  return exitCodes.done
}

/** Forgets that the project's file was trusted, with whatever content. */
export async function untrustProject({ io, out, workspace, mcp }: McpRun): Promise<number> {
  const { project } = await projectOf({ io, workspace })
  const wasTrusted = await trustStore(io).revoke(project)
  if (mcp.json) out.line(safeJson({ path: project.path, wasTrusted }))
  else out.line(visible(`${project.path} is ${wasTrusted ? 'no longer' : 'not'} trusted.`))
  return exitCodes.done
}

async function projectOf({ io, workspace }: Pick<McpRun, 'io' | 'workspace'>): Promise<McpFile & { readonly project: ProjectFile }> {
  const { files, problems } = await mcpFiles({ io, workspace, given: [] })
  for (const file of files) if (file.project) return { ...file, project: file.project }
  throw new UsageError(problems[0] ?? `There is no ${projectFileName} in ${workspace}, nor above it in its repository.`)
}
