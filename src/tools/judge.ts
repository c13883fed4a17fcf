import { Asking } from '../interrupts/asking.ts'
import { approvalOf } from '../interrupts/interrupt.ts'
import type { JsonValue } from '../util/json.ts'
import { frozenCopy } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import { settleOrAbort } from '../util/abort.ts'
import { cancelledOutcome, denied } from './execute.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import type { Gate, GateRequest } from './gate.ts'
import { resolveCall } from './resolve-call.ts'
import type { Tool, ToolOutcome } from './tool.ts'

/** What may run, or the outcome of a call that must not; or neither, when a person has to be asked first. */
export type Judgement =
  | { readonly allowed: PreparedCall; readonly refused: undefined; readonly waits: false }
  | { readonly allowed: undefined; readonly refused: ToolOutcome; readonly waits: false }
  | { readonly allowed: undefined; readonly refused: undefined; readonly waits: true }

const waits: Judgement = { allowed: undefined, refused: undefined, waits: true }
const refuse = (refused: ToolOutcome): Judgement => ({ allowed: undefined, refused, waits: false })

/** Asks for the approval that the tool wants, then the gates, one after the other. */
export async function judge(prepared: PreparedCall, tool: Tool, env: CallEnvironment): Promise<Judgement> {
  const asking = askingOf(prepared, env)
  try {
    return await judgeAsking(prepared, tool, env, asking)
  } finally {
    asking.close('the call has been judged.')
  }
}

async function judgeAsking(prepared: PreparedCall, tool: Tool, env: CallEnvironment, asking: Asking): Promise<Judgement> {
  let current = prepared
  let approved = false
  if (prepared.flags.approval) {
    const asked = await ask(env, async () => approvalOf(asking.interrupt({ name: 'approval', reason: `${tool.name} asks for approval.` })))
    if (asking.raised) return waits
    if (!asked) return refuse(cancelledOutcome(false))
    if (!asked.ok) return refuse(denied(saidBy(`The call of ${tool.name} was not run`, asked.error)))
    const { value } = asked
    if (!value.approved)
      return refuse(denied(`A person did not approve this call of ${tool.name}.${value.reason ? ` They said: ${value.reason}` : ''}`))
    if (value.input) current = await edited(current, tool, value.input, env)
    if (current.refused) return refuse(current.refused)
    approved = true
  }
  return await passGates(current, tool, env, asking, approved)
}

async function passGates(
  prepared: PreparedCall,
  tool: Tool,
  env: CallEnvironment,
  asking: Asking,
  approvedBefore: boolean,
): Promise<Judgement> {
  let current = prepared
  let approved = approvedBefore
  // As they are when it begins: one that is taken away meanwhile must not hide the one behind it.
  const gates = [...env.gates()]
  for (let i = 0; i < gates.length; i++) {
    const gate = gates[i]!
    const request = requestOf(current, tool, env, approved, asking)
    const verdict = await ask(env, async () => gate.judge(request))
    if (asking.raised) return waits
    if (!verdict) return refuse(cancelledOutcome(false))
    if (!verdict.ok) return refuse(denied(saidBy(`The call was not run: ${gate.name} failed`, verdict.error)))
    if (verdict.value?.decision !== 'allow') {
      const reason = verdict.value?.decision === 'deny' ? verdict.value.reason : `The call was not run: ${gate.name} gave no verdict.`
      return refuse(denied(reason))
    }
    const { input, withholds } = verdict.value
    if (withholds) current = { ...current, isWithheld: either(current.isWithheld, withholds) }
    if (input === undefined || JSON.stringify(input) === JSON.stringify(current.input)) continue
    // Another call than was judged so far: from the first gate on, as approved by the person who wrote it.
    if (approved) return refuse(denied(`The call was not run: ${gate.name} changed its input twice.`))
    current = await edited(current, tool, input, env)
    if (current.refused) return refuse(current.refused)
    approved = true
    i = -1
  }
  return env.signal.aborted ? refuse(cancelledOutcome(false)) : { allowed: current, refused: undefined, waits: false }
}

type Withheld = (path: string) => boolean

const either = (one: Withheld | undefined, other: Withheld): Withheld => (one ? (path) => one(path) || other(path) : other)

/** The call on the input that a person wrote. */
async function edited(prepared: PreparedCall, tool: Tool, input: JsonObject, env: CallEnvironment): Promise<PreparedCall> {
  const own = frozenCopy(input, 'the edited input')
  const { signal, clock } = env
  const again = await resolveCall({ toolUse: prepared.toolUse, tool, input: own, names: env.tools.names, signal, clock })
  return { ...again, edited: true }
}

/** Questions of a call that come before it: the gates', and the tool's own wish for approval. */
const askingOf = ({ toolUse, input }: PreparedCall, env: CallEnvironment): Asking =>
  new Asking({ questions: env.questions, about: `${toolUse.id}/gate`, toolUse: { id: toolUse.id, name: toolUse.name, input } })

const ask = <T>(env: CallEnvironment, question: () => Promise<T>) => settleOrAbort(question(), env.signal)

const saidBy = (what: string, error: unknown): string => `${what} (${error instanceof Error ? error.message : String(error)}).`

function requestOf(prepared: PreparedCall, tool: Tool, env: CallEnvironment, approved: boolean, asking: Asking): GateRequest {
  const { toolUse, input, flags } = prepared
  const { interrupt } = asking
  return {
    tool,
    input,
    flags,
    toolUse: { id: toolUse.id, name: tool.name },
    signal: env.signal,
    approved,
    interrupt: interrupt<JsonValue> as GateRequest['interrupt'],
  }
}

/** May the call begin before its message is complete? Only when every gate is sure of it, and nobody has to be asked. */
export async function gatesAllowEarly(prepared: PreparedCall, tool: Tool, env: CallEnvironment): Promise<boolean> {
  if (prepared.flags.approval) return false
  for (const gate of env.gates()) {
    if (!gate.allowsEarly) return false
    const request = requestOf(prepared, tool, env, false, silentAsking)
    const sure = await ask(env, async () => gate.allowsEarly!(request))
    if (!sure?.ok || !sure.value) return false
  }
  return true
}

/** Who is only asked whether it is sure asks nobody. */
const silentAsking = new Asking({
  questions: {
    answerTo: () => undefined,
    raise: () => {
      throw new TypeError('allowsEarly() asks nobody: say false')
    },
    answered: () => 0,
    now: () => 0,
  },
  about: 'early',
})

/**
 * Has a call that will not begin now ask what it would have to ask, so that a person is asked all at once. Only of gates that
 * ask by interrupt; what else they say is not used.
 */
export async function askAhead(prepared: PreparedCall, tool: Tool, env: CallEnvironment): Promise<void> {
  if (prepared.refused) return
  const gates: readonly Gate[] = env.gates().filter((gate) => gate.asksByInterrupt)
  if (prepared.flags.approval || gates.length > 0) await judge(prepared, tool, { ...env, gates: () => gates })
}
