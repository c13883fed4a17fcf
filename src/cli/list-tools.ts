import type { Tool } from '../index.ts'
import { toolkit } from '../toolkit/index.ts'
import type { CommandRun } from './command.ts'
import { loadSettings } from './config/load-settings.ts'
import { exitCodes } from './exit-code.ts'
import { safeJson, withoutControls } from './sanitise.ts'
import { table } from './table.ts'
import { toolsChosen } from './tools-chosen.ts'

type FlagShown = boolean | 'by_input' | 'by_key'

export type ToolShown = {
  readonly name: string
  readonly description: string
  readonly isReadOnly: FlagShown
  readonly isDestructive: FlagShown
  readonly isConcurrencySafe: FlagShown
  /** Characters of a result that the model gets; null when the tool bounds its results itself. */
  readonly maxResultChars: number | null
  readonly timeoutMs: number | null
}

/** `lena tools` */
export async function listTools({ io, out, options, workspace }: CommandRun): Promise<number> {
  const tools = toolsChosen(toolsShown(toolkit({ workspace, env: io.env })), await loadSettings(io, workspace))
  out.write(options.output === 'json' ? `${safeJson({ tools })}\n` : withoutControls(toolTable(tools, out.wrapWidth)))
  return exitCodes.done
}

/** Tools with what is promised of them. */
export function toolsShown(tools: readonly Tool[]): readonly ToolShown[] {
  return tools.map(({ name, description, isReadOnly, isDestructive, isConcurrencySafe, maxResultChars, timeoutMs }: Tool) => ({
    name,
    description,
    isReadOnly: flagShown(isReadOnly),
    isDestructive: flagShown(isDestructive),
    isConcurrencySafe: flagShown(isConcurrencySafe),
    maxResultChars: bounded(maxResultChars),
    timeoutMs: bounded(timeoutMs),
  }))
}

/** A flag that is not given means no. */
function flagShown(flag: Tool['isConcurrencySafe']): FlagShown {
  if (typeof flag === 'function') return 'by_input'
  return typeof flag === 'string' ? 'by_key' : flag === true
}

const bounded = (value: number | undefined): number | null => (value === undefined || value === Infinity ? null : value)

/** The same as a table for people. */
export function toolTable(tools: readonly ToolShown[], width?: number): string {
  const rows = tools.map(({ name, isReadOnly, isDestructive, isConcurrencySafe, maxResultChars, description }) => [
    name,
    inWords(isReadOnly),
    inWords(isDestructive),
    inWords(isConcurrencySafe),
    maxResultChars === null ? 'its own' : `${maxResultChars.toLocaleString('en-US')} characters`,
    firstSentence(description),
  ])
  return table([['TOOL', 'READ-ONLY', 'DESTRUCTIVE', 'CONCURRENT', 'RESULT BUDGET', 'WHAT IT DOES'], ...rows], width)
}

function inWords(flag: FlagShown): string {
  if (typeof flag === 'boolean') return flag ? 'yes' : 'no'
  return flag === 'by_input' ? 'by input' : 'one at a time'
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text
