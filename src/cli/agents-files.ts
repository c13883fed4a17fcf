import { isAbsolute, join, relative } from 'node:path'
import type { Settings } from './config/load-settings.ts'
import { readOwnFile } from './config/read-own-file.ts'
import { foldersDownTo } from './config/repository.ts'
import { configFolder, realFolder } from './folders.ts'
import type { Io } from './io.ts'
import { readProjectFile } from './trust/project-file.ts'
import { trustStore } from './trust/trust-store.ts'

/** Instructions that somebody wrote into a file. */
export type AgentsFile = {
  /** As it is named to the model. */
  readonly path: string
  readonly text: string
  /** `user`: the user's own words. `project`: a file that the user trusts. `stranger`: one that nobody has trusted: it informs, it does not order. */
  readonly from: 'user' | 'project' | 'stranger'
}

/** Of the user's file, and of all files of the project together. */
const maxBytes = 32 * 1024

/**
 * The AGENTS.md of the user, and those from the root of the repository down to the workspace. What does not fit is left out with
 * a mark; a file that cannot be read is told of.
 */
export async function agentsFiles(
  io: Io,
  workspace: string,
  { values }: Pick<Settings, 'values'>,
): Promise<{ readonly files: readonly AgentsFile[]; readonly warnings: readonly string[] }> {
  const files: AgentsFile[] = []
  const warnings: string[] = []
  let left = maxBytes
  const take = async (
    path: string,
    from: AgentsFile['from'],
    options: { readonly shown?: string; readonly inside?: string; readonly isWanted?: boolean },
  ): Promise<void> => {
    const room = from === 'user' ? maxBytes : left
    if (room <= 0) return void warnings.push(`${path} is left out: the AGENTS.md files above it have ${maxBytes / 1024} KB already.`)
    const file = await readOwnFile(path, { maxBytes: room, inside: options.inside })
    if (!file) return options.isWanted ? void warnings.push(`${path} is not there.`) : undefined
    if ('problem' in file) return void warnings.push(`${path} is left out: ${file.problem}.`)
    if (file.isCut)
      warnings.push(`${path} is cut: the AGENTS.md files of a project have ${maxBytes / 1024} KB together, and so has the user's.`)
    if (from !== 'user') left -= Buffer.byteLength(file.text)
    const text = `${file.text.trim()}${file.isCut ? '\n[The rest is left out: it is too long.]' : ''}`
    if (text !== '') files.push({ path: options.shown ?? path, text, from })
  }
  const own = values['instructions.file']
  const usersPath = own === undefined ? 'AGENTS.md' : own
  await take(isAbsolute(usersPath) ? usersPath : join(configFolder(io), usersPath), 'user', { isWanted: own !== undefined })
  if (values['instructions.agentsFiles'] === false) return { files, warnings }
  const folders = foldersDownTo(realFolder(workspace))
  for (const folder of folders)
    await take(join(folder, 'AGENTS.md'), (await isTrusted(io, folder)) ? 'project' : 'stranger', {
      shown: join(relative(folders[0]!, folder), 'AGENTS.md'),
      inside: folders[0]!,
    })
  return { files, warnings }
}

async function isTrusted(io: Io, folder: string): Promise<boolean> {
  const file = await readProjectFile(folder, 'AGENTS.md').catch(() => undefined)
  return file !== undefined && (await trustStore(io).isTrusted(file))
}
