import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { foldersDownTo } from '../config/repository.ts'
import { configFolder, realFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import { readProjectFile } from '../trust/project-file.ts'
import type { ProjectFile } from '../trust/project-file.ts'
import { UsageError } from '../usage-error.ts'
import { serversIn } from './servers-in.ts'

/** Who names a server: the command line, the project, or the user for all projects. In this order they go before. */
export type McpScope = 'given' | 'project' | 'user'

/** A file that names MCP servers. Nothing of it has been started. */
export type McpFile = {
  readonly scope: McpScope
  readonly path: string
  /** Where its programs are started, unless it says another one. */
  readonly folder: string
  /** By name, as the file has them. */
  readonly servers: ReadonlyMap<string, unknown>
  /** What must be trusted before anything of it is used. */
  readonly project?: ProjectFile | undefined
}

export type McpFiles = {
  /** The later goes before. */
  readonly files: readonly McpFile[]
  /** Files that cannot be used, each with its reason. */
  readonly problems: readonly string[]
}

export const projectFileName = '.mcp.json'

export const userMcpPath = (io: Pick<Io, 'env' | 'platform'>): string => join(configFolder(io), 'mcp.json')

export type McpPlace = {
  readonly io: Pick<Io, 'env' | 'platform' | 'cwd'>
  readonly workspace: string
  /** What `--mcp-config` says: paths, or the JSON itself. */
  readonly given: readonly string[]
}

/** All files that count for a folder. @throws {UsageError} for a given one that cannot be used. */
export async function mcpFiles({ io, workspace, given }: McpPlace): Promise<McpFiles> {
  const problems: string[] = []
  const orProblem = async (reading: Promise<McpFile | undefined>): Promise<readonly McpFile[]> => {
    try {
      const file = await reading
      return file ? [file] : []
    } catch (error) {
      problems.push((error as Error).message)
      return []
    }
  }
  const named = await Promise.all(given.map((said) => givenFile(said, io.cwd, workspace)))
  const user = await orProblem(ownFile('user', userMcpPath(io), workspace))
  const project = await orProblem(projectFile(workspace))
  // Who gives the project's own file has said that it is to be used.
  const isGiven = ({ path }: McpFile): boolean => named.some((file) => realFolder(file.path) === realFolder(path))
  return { files: [...user, ...project.filter((file) => !isGiven(file)), ...named], problems }
}

async function givenFile(said: string, cwd: string, workspace: string): Promise<McpFile> {
  const isJson = said.trimStart().startsWith('{')
  try {
    if (isJson) return { scope: 'given', path: '--mcp-config', folder: workspace, servers: await serversIn('--mcp-config', said) }
    const file = await ownFile('given', resolve(cwd, said), workspace)
    if (file) return file
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  throw new UsageError(`--mcp-config must be a file that names MCP servers, but ${JSON.stringify(resolve(cwd, said))} does not exist.`)
}

/** A file of the user's own. `undefined` when there is none. */
async function ownFile(scope: McpScope, path: string, folder: string): Promise<McpFile | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read: ${message}`, { cause: error })
  }
  return { scope, path, folder, servers: await serversIn(path, text) }
}

/** Where the project's servers stand: in the nearest file of the repository, from the workspace up. Without one: where it would be. */
export function projectMcpFolder(workspace: string): string {
  const folder = realFolder(workspace)
  return [...foldersDownTo(folder)].reverse().find((each) => existsSync(join(each, projectFileName))) ?? folder
}

async function projectFile(workspace: string): Promise<McpFile | undefined> {
  const project = await readProjectFile(projectMcpFolder(workspace), projectFileName)
  if (!project) return undefined
  const { path, folder, text } = project
  return { scope: 'project', path, folder, servers: await serversIn(path, text), project }
}
