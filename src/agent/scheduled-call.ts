import type { ToolUseBlock } from '../messages/content.ts'
import { flagsOf, unknownFlags } from '../tools/flags.ts'
import type { ToolFlags } from '../tools/flags.ts'
import { flagsInTime } from '../tools/in-time.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import type { Run } from './run.ts'

/** What comes to nothing but its error holds up nobody. */
const onlyFails: ToolFlags = Object.freeze({ ...unknownFlags, readOnly: true, safe: true })

/** The flags for the input as the model wrote it. */
export function flagsAsWritten(run: Run, call: ToolUseBlock): ToolFlags | Promise<ToolFlags> {
  const tool = run.tools.get(call.name)
  return tool && !call.invalidInput ? flagsOf(tool, call.input) : onlyFails
}

/** The same for one who waits for them: the careful ones when the run ends, or the time of the tool is up. */
export async function flagsWaitedFor(run: Run, call: ToolUseBlock): Promise<ToolFlags> {
  const tool = run.tools.get(call.name)
  return tool && !call.invalidInput ? await flagsInTime(tool, call.input, run.signal, run.core.clock) : onlyFails
}

/** What the strategy is told. */
export const scheduledCall = ({ id, name }: ToolUseBlock, index: number, { readOnly, safe }: ToolFlags): ScheduledCall => ({
  id,
  index,
  name,
  readOnly,
  safe,
})
