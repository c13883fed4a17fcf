import { settleOrAbort } from '../util/abort.ts'
import { cancelledOutcome, denied } from './execute.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import type { Tool, ToolOutcome } from './tool.ts'

/** Asks the gates, one after the other. Gives the outcome of a call that must not run. */
export async function judge(prepared: PreparedCall, tool: Tool, env: CallEnvironment): Promise<ToolOutcome | undefined> {
  const { toolUse, input, flags } = prepared
  for (const gate of env.gates) {
    const asked = async () => gate.judge({ tool, input, flags, toolUse: { id: toolUse.id, name: tool.name }, signal: env.signal })
    const verdict = await settleOrAbort(asked(), env.signal)
    if (!verdict) return cancelledOutcome(false)
    if (!verdict.ok)
      return denied(
        `The call was not run: ${gate.name} failed (${verdict.error instanceof Error ? verdict.error.message : String(verdict.error)}).`,
      )
    if (verdict.value?.decision === 'allow') continue
    return denied(verdict.value?.decision === 'deny' ? verdict.value.reason : `The call was not run: ${gate.name} gave no verdict.`)
  }
  return env.signal.aborted ? cancelledOutcome(false) : undefined
}

/** May the call begin before its message is complete? Only when every gate is sure of it. */
export async function gatesAllowEarly(prepared: PreparedCall, tool: Tool, env: CallEnvironment): Promise<boolean> {
  const { toolUse, input, flags } = prepared
  for (const gate of env.gates) {
    if (!gate.allowsEarly) return false
    const asked = async () => gate.allowsEarly!({ tool, input, flags, toolUse: { id: toolUse.id, name: tool.name }, signal: env.signal })
    const sure = await settleOrAbort(asked(), env.signal)
    if (!sure?.ok || !sure.value) return false
  }
  return true
}
