import { InputError, NotYetError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { Gate, GateRequest, GateVerdict } from '../tools/gate.ts'
import type { Tool } from '../tools/tool.ts'
import { settleOrAbort } from '../util/abort.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'

export type ApprovalRequest = {
  readonly tool: Tool
  readonly input: JsonObject
  /** Why it is asked. */
  readonly reason: string
  /** Fires when the run is cancelled: nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** `always` allows the tool from now on, except what cannot be undone. */
export type ApprovalAnswer = boolean | 'always' | { readonly approved: boolean; readonly reason?: string | undefined }

export type PermissionOptions = {
  /** `default`: what only reads runs, the rest is asked for. */
  readonly mode?: 'default' | undefined
  /** Asks a person. `refuse` (the default) when there is nobody to ask. */
  readonly ask?: 'refuse' | ((request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>) | undefined
}

/**
 * The gate before each call: what only reads runs, the rest asks a person first, and is refused when there is nobody to ask.
 * It stands behind all hooks and middleware, so that nothing can change a call after it was judged.
 */
export function permissions(options: PermissionOptions = {}): Plugin {
  checkOptions(options)
  const { ask = 'refuse' } = options
  const allowed = new Set<string>()
  let asking: Promise<unknown> = Promise.resolve()

  const isAllowed = ({ tool, flags }: GateRequest): boolean => !flags.destructive && (flags.readOnly || allowed.has(tool.name))
  const question = async (request: GateRequest): Promise<GateVerdict> => {
    const { tool, input, flags, signal } = request
    // The answer before this one may have been `always`; and a cancelled run asks nothing any more.
    if (isAllowed(request)) return { decision: 'allow' }
    if (signal.aborted) return { decision: 'deny', reason: 'The run was cancelled.' }
    if (ask === 'refuse')
      return {
        decision: 'deny',
        reason: `The call of ${tool.name} was refused: it needs the permission of a person, and there is nobody to ask. Do not try again; say what you would have done.`,
      }
    const reason = flags.destructive ? 'What it does may not be undone.' : 'It may change something.'
    const answer: unknown = await ask({ tool, input, reason, signal })
    if (answer === 'always') allowed.add(tool.name)
    // Nothing but a clear yes is a yes.
    if (answer === true || answer === 'always' || (isObject(answer) && answer['approved'] === true)) return { decision: 'allow' }
    const said =
      isObject(answer) && typeof answer['reason'] === 'string' && answer['reason'] !== '' ? ` They said: ${answer['reason']}` : ''
    return { decision: 'deny', reason: `The user did not allow this call of ${tool.name}.${said}` }
  }
  const gate: Gate = {
    name: 'permissions',
    allowsEarly: isAllowed,
    judge: (request) => {
      if (isAllowed(request)) return { decision: 'allow' }
      // One question at a time: a person cannot answer two.
      const verdict = asking.then(() => question(request))
      // Nobody waits for an answer that a cancelled run asked for, least of all the next run.
      asking = settleOrAbort(verdict, request.signal)
      return verdict
    },
  }
  return { name: 'permissions', setup: (agent) => void agent.guard(gate) }
}

const planned = ['rules', 'workspace']

function checkOptions(options: PermissionOptions): void {
  if (!isObject(options)) throw new InputError('permissions() takes an object such as { ask: (request) => true }, or nothing.')
  for (const key of Object.keys(options)) {
    if (planned.includes(key)) throw new NotYetError(`The option \`${key}\` of permissions()`)
    if (key !== 'mode' && key !== 'ask')
      throw new InputError(`There is no option "${key}" of permissions().${didYouMean(key, ['mode', 'ask'])} Known: mode, ask.`)
  }
  if (options.mode !== undefined && options.mode !== 'default') throw new NotYetError(`The permission mode "${String(options.mode)}"`)
  if (options.ask !== undefined && options.ask !== 'refuse' && typeof options.ask !== 'function')
    throw new InputError('`ask` must be "refuse" or a function that answers true, false, "always" or { approved, reason }.')
}
