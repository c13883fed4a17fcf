import type { Host, Jobs } from '../host/host.ts'
import { localHost } from './local-host.ts'
import type { ToolkitOptions } from './options.ts'

/** The machine that commands run on: this one, unless the options name another. */
export function hostOf({ host, workspace, env, sandbox, jobs, ripgrep, clock }: ToolkitOptions): Host {
  return host ?? localHost({ workspace, env, sandbox, jobs, ripgrep, clock })
}

/** Of a host that does not say what it has left running. */
export const noJobs: Jobs = { list: () => [], end: async () => {} }
