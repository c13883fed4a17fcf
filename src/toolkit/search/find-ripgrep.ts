import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside, resolveLinks } from '../files/paths.ts'
import { workspaceOf } from '../options.ts'
import type { ToolkitOptions } from '../options.ts'

/**
 * The program `rg` on the path, but never one in the workspace: whoever wrote the project would choose what runs. `undefined` when
 * there is none.
 */
export async function rgOnPath(path: string | undefined, workspace: string): Promise<string | undefined> {
  const inside = resolveLinks(workspace)
  for (const folder of (path ?? '').split(delimiter).filter(isAbsolute)) {
    const program = join(folder, process.platform === 'win32' ? 'rg.exe' : 'rg')
    if ((await isExecutable(program)) && !isInside(inside, resolveLinks(program))) return program
  }
  return undefined
}

/** The one of the package `@vscode/ripgrep`. */
async function packagedRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return (await isExecutable(rgPath)) ? rgPath : undefined
  } catch {
    // Not installed, or not for this platform.
    return undefined
  }
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The packaged program, else one on the path. It is looked for when it is first needed, and kept. */
export function ripgrepOf(options: ToolkitOptions): () => Promise<string | undefined> {
  const { ripgrep, env = process.env } = options
  let found: Promise<string | undefined> | undefined
  const find = async (): Promise<string | undefined> =>
    ripgrep === undefined
      ? ((await packagedRipgrep()) ?? (await rgOnPath(env['PATH'], workspaceOf(options))))
      : ripgrep === false
        ? undefined
        : ripgrep
  return () => (found ??= find())
}
