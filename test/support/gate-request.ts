import type { GateRequest } from '../../src/tools/gate.ts'
import { flagsOf } from '../../src/tools/flags.ts'
import type { Tool } from '../../src/tools/tool.ts'
import type { JsonObject } from '../../src/util/json.ts'

/** What a gate is asked of a call, where nobody can be asked by an interrupt. */
export async function gateRequest(tool: Tool, input: JsonObject): Promise<GateRequest> {
  return {
    tool,
    input,
    flags: await flagsOf(tool, input),
    toolUse: { id: 'call_1', name: tool.name },
    signal: new AbortController().signal,
    approved: false,
    interrupt: () => {
      throw new Error('nobody')
    },
  }
}
