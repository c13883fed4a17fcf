import { localFiles } from '../../host/local-files.ts'
import { workspaceOf } from '../options.ts'
import type { ToolkitOptions } from '../options.ts'
import { isExecutable, programOnPath } from '../process/program-on-path.ts'

/** The program `rg` on the path, but never one in the workspace. `undefined` when there is none. */
export const rgOnPath = (path: string | undefined, workspace: string): Promise<string | undefined> =>
  programOnPath(process.platform === 'win32' ? 'rg.exe' : 'rg', path, workspace)

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

/**
 * The packaged program, else one on the path. It is looked for when it is first needed, and kept. None for the files of another machine,
 * which it does not see.
 */
export function ripgrepOf(options: ToolkitOptions): () => Promise<string | undefined> {
  const { host, ripgrep, env = process.env } = options
  if (host && host.files !== localFiles) return async () => undefined
  let found: Promise<string | undefined> | undefined
  const find = async (): Promise<string | undefined> =>
    ripgrep === undefined
      ? ((await packagedRipgrep()) ?? (await rgOnPath(env['PATH'], workspaceOf(options))))
      : ripgrep === false
        ? undefined
        : ripgrep
  return () => (found ??= find())
}
