import { homedir } from 'node:os'
import { posix, resolve } from 'node:path'
import { InputError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { Lookups } from '../host/file-system.ts'
import type { Host } from '../host/host.ts'
import { judging } from '../host/judging.ts'
import { localFiles } from '../host/local-files.ts'
import { rememberedLookups } from '../host/remembered-lookups.ts'
import type { Gate, GateRequest, GateVerdict } from '../tools/gate.ts'
import type { Tool } from '../tools/tool.ts'
import { settleOrAbort } from '../util/abort.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { isOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { didYouMean } from '../util/text.ts'
import { accessOf, knownPaths } from './access.ts'
import type { PathInput } from './access.ts'
import { understand } from './ask.ts'
import type { ApprovalAnswer } from './ask.ts'
import { decide } from './decide.ts'
import type { Decision, PermissionMode } from './decide.ts'
import { Glob } from './glob.ts'
import { folded } from './paths.ts'
import { rulesFor } from './remember.ts'
import { compileRule, textOfRule } from './rules.ts'
import type { CompiledRule, Rule } from './rules.ts'

export type ApprovalRequest = {
  readonly tool: Tool
  readonly input: JsonObject
  /** Why it is asked. */
  readonly reason: string
  /** The rules that the answer `always` adds; with none it is a plain yes. */
  readonly always?: readonly Rule[] | undefined
  /** Fires when the run is cancelled: nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export type PermissionOptions = {
  /**
   * `default` (the default): what only reads runs, the rest is asked for. `plan`: the rest is refused. `accept_edits`: edits of files
   * inside the workspace run. `bypass`: all runs but what cannot be undone, what rules hold back, and files outside the workspace.
   */
  readonly mode?: PermissionMode | undefined
  /** `'allow shell(npm test)'`, `'deny shell(git push*)'`, `'ask web_fetch'`, or objects. Deny comes first, then ask, then allow. */
  readonly rules?: readonly (Rule | string)[] | undefined
  /** The folder that the work should stay in. Default: `process.cwd()`; with `host` it must be given. */
  readonly workspace?: string | undefined
  /** The machine that the tools work on, as their toolkit is told: paths are looked up there. Default: this one. */
  readonly host?: Pick<Host, 'files' | 'home'> | undefined
  /**
   * Asks a person. `refuse` (the default) when there is nobody to ask; `interrupt` ends the run with an interrupt `approval` for each
   * question, which are answered when it is resumed.
   */
  readonly ask?: 'interrupt' | 'refuse' | ((request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>) | undefined
  /** Patterns of files that are asked for even where edits run, beside `.git`, `.env`, keys and settings of shells and tools. */
  readonly protected?: readonly string[] | undefined
  /** Keeps a rule that the answer `always` has added. When it fails the call is refused with what it threw. */
  readonly remember?: ((rule: Rule) => void | Promise<void>) | undefined
  /** Files outside the workspace that may be read, for example stored results. Gets the path with its links resolved. */
  readonly isPersisted?: ((path: string) => boolean) | undefined
  /** Which input of a tool is a path, for tools that do not say so themselves. The tools of this package are known. */
  readonly pathInputs?: Readonly<Record<string, PathInput>> | undefined
}

export interface Permissions extends Plugin {
  /** May be set between calls and during them: the next judgement follows it. */
  mode: PermissionMode
  readonly rules: readonly Rule[]
  /** @throws {InputError} for what is no rule. */
  add(rule: Rule | string): void
}

const modes: readonly PermissionMode[] = ['default', 'plan', 'accept_edits', 'bypass']

/**
 * The gate before each call. It stands behind all hooks and middleware, so that nothing can change a call after it was judged.
 *
 * The first that speaks decides: a deny rule; the mode `plan` refuses what does not only read; what cannot be undone asks; an ask
 * rule; a file outside the workspace, or a protected one, asks; what only reads runs; an allow rule; the mode.
 *
 * @throws {InputError} for unknown options and for rules that cannot be read.
 */
export function permissions(options: PermissionOptions = {}): Permissions {
  checkOptions(options)
  const { ask = 'refuse', remember, isPersisted = () => false } = options
  const folder = resolve(options.workspace ?? process.cwd())
  const rules: CompiledRule[] = (options.rules ?? []).map(compileRule)
  const pathInputs = { ...knownPaths, ...options.pathInputs }
  const protectedPaths = (options.protected ?? []).map((pattern) => new Glob(folded(anywhere(pattern)), { isPath: true }))
  let mode = options.mode ?? 'default'
  let asking: Promise<unknown> = Promise.resolve()

  const files = options.host?.files ?? localFiles
  const home = options.host?.home ?? homedir()
  const decideOn = async (request: GateRequest): Promise<Decision> => {
    const access = await accessOf(request, pathInputs)
    return await judging(files, (machine) => {
      const look = rememberedLookups(machine)
      const ground = { look, home, workspace: realFolder(look, folder), followed: new Map() }
      return decide(request, access, { mode, rules, ground, pathInputs, protectedPaths, isPersisted })
    })
  }

  const settled = (decision: Decision, { approved }: GateRequest): GateVerdict | undefined => {
    if (decision.decision !== 'ask') return decision
    return approved ? { decision: 'allow', withholds: decision.withholds } : undefined
  }

  const question = async (request: GateRequest): Promise<GateVerdict> => {
    // The answer before this one may have been `always`; and a cancelled run asks nothing any more.
    const decision = await decideOn(request)
    const known = settled(decision, request)
    if (known) return known
    if (decision.decision !== 'ask') throw new TypeError('a decision that is none')
    const { tool, input, signal } = request
    if (signal.aborted) return { decision: 'deny', reason: 'The run was cancelled.' }
    if (ask === 'refuse')
      return {
        decision: 'deny',
        reason: `The call of ${tool.name} was refused: it needs the permission of a person, and there is nobody to ask.${decision.mayRemember ? '' : ` ${decision.reason}`} Do not try again; say what you would have done.`,
      }
    const always = decision.mayRemember ? rulesFor(tool.name, decision.touched) : []
    const said: unknown =
      ask === 'interrupt'
        ? request.interrupt({ name: 'approval', reason: { text: decision.reason, always: always.map(textOfRule) } })
        : await ask({ tool, input, reason: decision.reason, always, signal })
    const answer = understand(said)
    if (!answer.approved)
      return {
        decision: 'deny',
        reason: `The user did not allow this call of ${tool.name}.${answer.reason ? ` They said: ${answer.reason}` : ''}`,
      }
    if (answer.isAlways) {
      for (const rule of always) {
        rules.push(compileRule(rule))
        await remember?.(rule)
      }
    }
    return { decision: 'allow', withholds: decision.withholds, ...(answer.input && { input: answer.input }) }
  }

  const gate: Gate = {
    name: 'permissions',
    asksByInterrupt: ask === 'interrupt',
    allowsEarly: async (request) => (await decideOn(request)).decision === 'allow',
    judge: async (request) => {
      const verdict = settled(await decideOn(request), request)
      if (verdict) return verdict
      if (typeof ask !== 'function') return await question(request)
      // One question at a time: a person cannot answer two.
      const answered = asking.then(() => question(request))
      // Nobody waits for an answer that a cancelled run asked for, least of all the next run.
      asking = settleOrAbort(answered, request.signal)
      return await answered
    },
  }
  return {
    name: 'permissions',
    setup: (agent) => void agent.guard(gate),
    get mode() {
      return mode
    },
    set mode(next) {
      checkMode(next)
      mode = next
    },
    get rules() {
      return rules.map(({ rule }) => rule)
    },
    add: (rule) => void rules.push(compileRule(rule)),
  }
}

/** `*.secret` is meant in any folder. */
const anywhere = (pattern: string): string => (pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**/${pattern}`)

function realFolder(look: Lookups, folder: string): string {
  try {
    return look.realpath(folder)
  } catch {
    return folder
  }
}

function checkMode(mode: unknown): void {
  if (!modes.includes(mode as PermissionMode))
    throw new InputError(
      `There is no permission mode ${JSON.stringify(mode)}.${didYouMean(String(mode), modes)} Known: ${modes.join(', ')}.`,
    )
}

function checkHost(host: unknown, workspace: string | undefined): void {
  const { files, home } = (isObject(host) ? host : {}) as Partial<Record<string, unknown>>
  if (typeof home !== 'string' || !isObject(files) || typeof files['realpath'] !== 'function')
    throw new InputError(`\`host\` must be the host of the toolkit, with { files, home }, got ${describe(host)}.`)
  if (workspace === undefined || !posix.isAbsolute(workspace))
    throw new InputError('With `host` give `workspace`, the absolute path of a folder on it, such as "/srv/app".')
}

const known = ['mode', 'rules', 'workspace', 'host', 'ask', 'protected', 'remember', 'isPersisted', 'pathInputs']

function checkOptions(options: PermissionOptions): void {
  if (!isOptions(options))
    throw new InputError(`permissions() takes an object such as { ask: (request) => true }, or nothing, got ${describe(options)}.`)
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new InputError(`There is no option "${key}" of permissions().${didYouMean(key, known)} Known: ${known.join(', ')}.`)
  const { mode, rules, workspace, host, ask, protected: paths, remember, isPersisted, pathInputs } = options
  if (mode !== undefined) checkMode(mode)
  if (rules !== undefined && !Array.isArray(rules)) throw new InputError('`rules` must be a list, such as ["allow shell(npm test)"].')
  if (workspace !== undefined && (typeof workspace !== 'string' || workspace === ''))
    throw new InputError('`workspace` must be the path of a folder.')
  if (host !== undefined) checkHost(host, workspace)
  if (ask !== undefined && ask !== 'refuse' && ask !== 'interrupt' && typeof ask !== 'function')
    throw new InputError(
      '`ask` must be "refuse", "interrupt" or a function that answers true, false, "always" or { approved, reason, input }.',
    )
  if (paths !== undefined && !(Array.isArray(paths) && paths.every((path) => typeof path === 'string' && path !== '')))
    throw new InputError('`protected` must be a list of patterns, such as ["deploy/**"].')
  for (const [key, value] of Object.entries({ remember, isPersisted }))
    if (value !== undefined && typeof value !== 'function') throw new InputError(`\`${key}\` must be a function.`)
  if (
    pathInputs !== undefined &&
    !(isObject(pathInputs) && Object.values(pathInputs).every((entry) => isObject(entry) && typeof entry['key'] === 'string'))
  )
    throw new InputError('`pathInputs` must be an object such as { my_tool: { key: "file", writes: true } }.')
}
