import { posix, resolve } from 'node:path'
import { InputError } from '../errors.ts'
import type { Host } from '../host/host.ts'
import { localFiles } from '../host/local-files.ts'
import type { ResultStore } from '../results/result-store.ts'
import {
  aBoolean,
  aClock,
  aFilledText,
  aFunction,
  anObject,
  anything,
  checkOptions,
  having,
  texts,
  textsByName,
} from '../util/check-options.ts'
import type { Rule, RulesOf } from '../util/check-options.ts'
import type { Clock } from '../util/clock.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import type { FileLog } from './files/file-log.ts'
import type { UndoLog } from './undo/undo-log.ts'
import type { JobList } from './process/jobs.ts'
import type { SandboxOptions } from './sandbox/place.ts'
import type { TaskAgent } from './task.ts'
import type { AllowedHosts, Resolve } from './web/guard.ts'
import type { SearchProvider } from './web/search/provider.ts'

export type WebOptions = {
  /** Who searches. Default: by the key that the environment has (`BRAVE_API_KEY`, `TAVILY_API_KEY`, `EXA_API_KEY`), else DuckDuckGo. */
  readonly search?: SearchProvider | undefined
  /** Hosts outside the public network that `web_fetch` may ask: `['localhost:3000', '10.0.0.5']`, or `true` for any. Default: none. */
  readonly allowPrivate?: AllowedHosts | undefined
  /** How the names of hosts are looked up. Default: as the system does. */
  readonly resolve?: Resolve | undefined
}

export type ToolkitOptions = {
  /** The folder that relative paths start from, and that the work should stay in. Default: `process.cwd()`; with `host` it must be given. */
  readonly workspace?: string | undefined
  /**
   * The machine whose files the tools read and write, and that runs the commands of `shell`: a container, one far away. What goes with
   * it is its own: `sandbox`, `jobs` and `ripgrep` are of this machine. Default: this one.
   */
  readonly host?: Host | undefined
  /** What of which file the model has seen. Tools that are made one by one share what they know by sharing this. */
  readonly files?: FileLog | undefined
  /** Where the old content of files goes that are overwritten or edited. Default: `memoryUndo()` in `toolkit()`; a tool made alone keeps nothing. */
  readonly undo?: UndoLog | undefined
  /** The program `rg` for `glob` and `grep`; `false`: search without it. Default: the one of `@vscode/ripgrep`, else one on the path. */
  readonly ripgrep?: string | false | undefined
  /** The environment of shell commands, before keys are taken out. Default: `process.env`, or that of the `host`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Variables that shell commands get although their names look like keys, for example `GITHUB_TOKEN`. */
  readonly keepEnv?: readonly string[] | undefined
  /**
   * Commands of `shell` run in a sandbox of the system: they write in the workspace alone, reach no network, and do not see keys. Needs
   * bubblewrap on Linux; on macOS, and to let single hosts through, the optional package `@anthropic-ai/sandbox-runtime`. Where it cannot
   * be made, nothing is run. Default: none.
   */
  readonly sandbox?: boolean | SandboxOptions | undefined
  /**
   * Where the whole output of a command goes when it is too long for the model: give the store of the agent. Without one the middle of
   * it is lost.
   */
  readonly results?: ResultStore | undefined
  /** For `web_search` and `web_fetch`. */
  readonly web?: WebOptions | undefined
  /** Kinds of sub-agents that `task` may choose from, by their names. Default: none, only the calling agent once more. */
  readonly agents?: Readonly<Record<string, TaskAgent>> | undefined
  /** What commands have left running. Tools that are made one by one share the list by sharing this. */
  readonly jobs?: JobList | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/** What this machine is told as a host. As in `ToolkitOptions`. */
export type LocalHostOptions = Pick<ToolkitOptions, 'workspace' | 'env' | 'sandbox' | 'jobs' | 'ripgrep' | 'clock'>

const network: Rule = ['true, false or a list of hosts', (value) => aBoolean[1](value) || texts[1](value)]
const sandboxRules: RulesOf<SandboxOptions> = { network, writable: texts, hidden: texts }
const webRules: RulesOf<WebOptions> = {
  // Says itself what it must be.
  search: anything,
  allowPrivate: ['true, false or a list of hosts such as "localhost:3000"', (value) => aBoolean[1](value) || texts[1](value)],
  resolve: aFunction,
}
export const aHost: Rule = [
  'a host, such as localHost(), with { files, home, env, run() }',
  (value) =>
    isObject(value) &&
    typeof value['run'] === 'function' &&
    typeof value['home'] === 'string' &&
    isObject(value['env']) &&
    isObject(value['files']) &&
    typeof value['files']['realpath'] === 'function',
]
const ofLocalHost: RulesOf<LocalHostOptions> = {
  workspace: ['the path of a folder', aFilledText[1]],
  env: textsByName,
  sandbox: [
    'true, false or an object such as { network: false, writable: [], hidden: [] }',
    (value) => aBoolean[1](value) || anObject[1](value),
  ],
  jobs: having('the `jobs` of a toolkit', 'start', 'list'),
  ripgrep: ['the path of the program `rg`, or false', (value) => value === false || aFilledText[1](value)],
  clock: aClock,
}
const rules: RulesOf<ToolkitOptions> = {
  ...ofLocalHost,
  host: aHost,
  files: having('what fileLog() gives', 'sawLines', 'sawAll', 'knows'),
  undo: having('an undo log such as memoryUndo()', 'keep', 'changes'),
  keepEnv: texts,
  results: having('a result store such as fileResults()', 'put', 'read'),
  web: anObject,
  // Looked at one by one where they are made.
  agents: anything,
}

/**
 * One slip in a name, and a wall is not where it was thought to be.
 *
 * @param maker `toolkit`, or the tool that is made alone.
 * @throws {InputError}
 */
export function checkToolkitOptions(maker: string, options: unknown): asserts options is ToolkitOptions {
  checkOptions(maker, options, rules)
  const { host, sandbox, web } = options as ToolkitOptions
  if (host) checkWithHost(maker, options as ToolkitOptions, host)
  checkSandbox(maker, sandbox)
  if (web !== undefined) checkOptions(`${maker}({ web })`, web, webRules)
}

/** @throws {InputError} */
export function checkLocalHostOptions(options: unknown): asserts options is LocalHostOptions {
  checkOptions('localHost', options, ofLocalHost)
  checkSandbox('localHost', (options as LocalHostOptions).sandbox)
}

function checkSandbox(maker: string, sandbox: ToolkitOptions['sandbox']): void {
  if (typeof sandbox === 'object') checkOptions(`${maker}({ sandbox })`, sandbox, sandboxRules)
}

/** @throws {InputError} for what is said of this machine, while the tools work on another one. */
function checkWithHost(maker: string, { workspace, sandbox, jobs, ripgrep }: ToolkitOptions, host: Host): void {
  if (workspace === undefined || !posix.isAbsolute(workspace))
    throw new InputError(
      `${maker}({ workspace }): with \`host\` give the absolute path of a folder on it, such as "/srv/app"; got ${describe(workspace)}.`,
    )
  const ours = Object.entries({ sandbox: sandbox === false ? undefined : sandbox, jobs, ripgrep: ripgrep === false ? undefined : ripgrep })
  const found = ours.find(([name, value]) => value !== undefined && !(name === 'ripgrep' && host.files === localFiles))
  if (found)
    throw new InputError(
      `${maker}({ ${found[0]} }): with \`host\` this is the host's own: leave it out${found[0] === 'ripgrep' ? '' : ', or give it to localHost()'}.`,
    )
}

/** The workspace as an absolute path; links in it are not resolved yet. */
export const workspaceOf = (options: ToolkitOptions): string => resolve(options.workspace ?? process.cwd())
