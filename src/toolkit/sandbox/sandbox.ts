import { dirname } from 'node:path'
import { resolveLinks } from '../files/paths.ts'
import { programOnPath } from '../process/program-on-path.ts'
import { bubblewrapArgs } from './bubblewrap.ts'
import { placeFor } from './place.ts'
import type { SandboxOptions } from './place.ts'
import { seatbeltProfile } from './seatbelt.ts'

export type Command = { readonly program: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
export type Where = { readonly cwd: string; readonly recordFolder: string | undefined }

/** Puts commands into a sandbox. */
export interface Sandbox {
  /** @throws {Error} when there is none: then nothing must be run. */
  wrap(command: Command, where: Where): Promise<Command>
}

export type SandboxSurroundings = {
  readonly workspace: string
  readonly home: string
  readonly path: string | undefined
  readonly platform?: NodeJS.Platform | undefined
}

/** How long the trial may take that shows whether sandboxes can be made here. */
const trialMs = 10_000
const seatbelt = '/usr/bin/sandbox-exec'

export function sandboxFor(options: SandboxOptions, { workspace, home, path, platform = process.platform }: SandboxSurroundings): Sandbox {
  let tried: Promise<string> | undefined
  const placeAt = (where: Where) => {
    const root = resolveLinks(workspace)
    if (dirname(root) === root) throw cannot(`the workspace is ${root}, and all would be open. Choose a folder`)
    return placeFor(options, { workspace: root, home, ...where })
  }
  return {
    async wrap({ program, args, env }, where) {
      const place = placeAt(where)
      if (platform === 'darwin') {
        const own = place.recordFolder === undefined ? {} : { TMPDIR: place.recordFolder }
        return { program: seatbelt, args: ['-p', seatbeltProfile(place), program, ...args], env: { ...env, ...own } }
      }
      if (platform !== 'linux') throw cannot(`there is none for ${platform}`)
      tried ??= bubblewrapAt(path, workspace, bubblewrapArgs(placeAt({ cwd: place.workspace, recordFolder: undefined })))
      try {
        return { program: await tried, args: [...bubblewrapArgs(place), program, ...args], env }
      } catch (error) {
        // It may be there the next time.
        tried = undefined
        throw error
      }
    },
  }
}

/** The program, once it has shown that it can do it here. */
async function bubblewrapAt(path: string | undefined, workspace: string, args: readonly string[]): Promise<string> {
  const program = await programOnPath('bwrap', path, workspace)
  if (program === undefined) throw cannot('bubblewrap (bwrap) is not installed. Install it, for example by `apt-get install bubblewrap`')
  const { execFile } = await import('node:child_process')
  const said = await new Promise<string | undefined>((resolve) => {
    execFile(program, [...args, '/bin/sh', '-c', ':'], { timeout: trialMs }, (error, _out, err) =>
      resolve(error ? err.trim() || error.message : undefined),
    )
  })
  if (said === undefined) return program
  throw cannot(`bubblewrap cannot make one here: ${said.slice(0, 500)}. The system may not let users have namespaces of their own`)
}

const cannot = (why: string): Error =>
  new Error(`Commands run in a sandbox only, and ${why}. Nothing was run. Tell the user; do not try another way.`)
