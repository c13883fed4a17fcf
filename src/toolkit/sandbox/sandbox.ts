import { dirname } from 'node:path'
import { InputError } from '../../errors.ts'
import { localLookups } from '../../host/local-files.ts'
import { resolveLinks } from '../../host/paths.ts'
import { programOnPath } from '../process/program-on-path.ts'
import { bubblewrapArgs } from './bubblewrap.ts'
import { cannot } from './command.ts'
import type { Sandbox, Where } from './command.ts'
import { placeFor } from './place.ts'
import type { SandboxOptions } from './place.ts'

export type SandboxSurroundings = {
  readonly workspace: string
  readonly home: string
  readonly path: string | undefined
  /** What asks the network for commands is told of the proxies in it. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** The program, where there is one. The runtime needs it on Linux. */
  readonly ripgrep?: (() => Promise<string | undefined>) | undefined
  readonly platform?: NodeJS.Platform | undefined
}

/** How long the trial may take that shows whether sandboxes can be made here. */
const trialMs = 10_000

/** @throws {Error} when `network` names something that is no host. */
export function sandboxFor(options: SandboxOptions, surroundings: SandboxSurroundings): Sandbox {
  const { workspace, home, path, env = {}, ripgrep, platform = process.platform } = surroundings
  const { network = false } = options
  checkHosts(network)
  const hosts = typeof network === 'boolean' || network.length === 0 ? undefined : network
  let tried: Promise<string> | undefined
  const placeAt = ({ cwd, recordFolder }: Omit<Where, 'signal'>) => {
    const root = resolveLinks(localLookups, workspace)
    if (dirname(root) === root) throw cannot(`the workspace is ${root}, and all would be open. Choose a folder`)
    return placeFor(options, { workspace: root, home, cwd, recordFolder })
  }
  return {
    async wrap(command, where) {
      const place = placeAt(where)
      if (platform !== 'linux' && platform !== 'darwin') throw cannot(`there is none for ${platform}`)
      if (platform === 'darwin' || hosts) {
        const { wrapByRuntime } = await import('./runtime.ts')
        const open = { allowedDomains: [...(hosts ?? [])], deniedDomains: [], strictAllowlist: true, parentProxy: proxiesOf(env) }
        const setup = {
          network: network === true ? ('open' as const) : open,
          ripgrep: platform === 'linux' ? await ripgrep?.() : undefined,
        }
        return await wrapByRuntime(command, place, setup, where.signal)
      }
      tried ??= bubblewrapAt(path, workspace, bubblewrapArgs(placeAt({ cwd: place.workspace, recordFolder: undefined })))
      try {
        return { program: await tried, args: [...bubblewrapArgs(place), command.program, ...command.args], env: command.env }
      } catch (error) {
        // It may be there the next time.
        tried = undefined
        throw error
      }
    },
  }
}

function checkHosts(network: unknown): void {
  const isHost = (host: unknown): boolean => typeof host === 'string' && /^(\*\.)?[^\s/*@:]+(:\d+)?$/.test(host)
  if (typeof network === 'boolean' || (Array.isArray(network) && network.every(isHost))) return
  throw new InputError(
    `sandbox.network is true, false, or a list of hosts such as 'example.com', '*.example.com' or 'example.com:443', without a scheme or a path; ${JSON.stringify(network)} came.`,
  )
}

function proxiesOf(env: Readonly<Record<string, string | undefined>>) {
  const named = (name: string): string | undefined => env[name.toLowerCase()] ?? env[name]
  return { http: named('HTTP_PROXY'), https: named('HTTPS_PROXY') ?? named('HTTP_PROXY'), noProxy: named('NO_PROXY') }
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
