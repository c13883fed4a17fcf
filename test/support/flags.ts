import { flagsOf } from '../../src/tools/flags.ts'
import type { ToolFlags } from '../../src/tools/flags.ts'
import type { Tool } from '../../src/tools/tool.ts'

/** The flags of a tool that knows them without waiting, as all do that work on this machine. */
export function flagsAtOnce(tool: Tool, input: unknown): ToolFlags {
  const flags = flagsOf(tool, input)
  if (flags instanceof Promise) throw new Error(`${tool.name} does not know its flags at once`)
  return flags
}
