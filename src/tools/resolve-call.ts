import type { ToolUseBlock } from '../messages/content.ts'
import type { JsonObject } from '../util/json.ts'
import { InputError } from '../errors.ts'
import type { StandardIssue } from './standard-schema.ts'
import { checkedResult } from './standard-schema.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import { closeNames, headOf } from '../util/text.ts'
import { isThenable } from '../util/bounded.ts'
import { cancelledOutcome, thrown } from './execute.ts'
import { flagsOf, unknownFlags } from './flags.ts'
import { inTime, TooSlow } from './in-time.ts'
import type { PreparedCall } from './call-environment.ts'
import type { Tool, ToolOutcome } from './tool.ts'
import { unknownKeys } from './unknown-keys.ts'
import { validateJsonSchema } from './validate-json-schema.ts'
import { validationMessage } from './validation-message.ts'

export type ResolveRequest = {
  readonly toolUse: ToolUseBlock
  readonly tool: Tool | undefined
  readonly input: JsonObject
  readonly names: readonly string[]
  /** Ends the wait for a validation or for flags that take their time: they are somebody else's code, and may ask a server. */
  readonly signal?: AbortSignal | undefined
  /** For the tool's `timeoutMs`, which the check and the flags have as well as the run. Default the system's. */
  readonly clock?: Clock | undefined
}

/** Looks the tool up, validates the input and decides the flags; or says, for the model, why the call cannot run. */
export async function resolveCall({ toolUse, tool, input, names, signal, clock = systemClock }: ResolveRequest): Promise<PreparedCall> {
  const refuse = (refused: ToolOutcome): PreparedCall => ({ toolUse, tool, input, parsed: input, flags: unknownFlags, refused })
  if (!tool) return refuse(notFound(toolUse.name, names))
  // A hook may have put a good input in the place of the one that could not be parsed.
  if (toolUse.invalidInput && input === toolUse.input) return refuse(unparsable(toolUse, toolUse.invalidInput))
  try {
    const checking = tool.validate ? tool.validate(input) : validateJsonSchema(tool.inputSchema, input)
    const checked = checkedResult(isThenable(checking) ? await inTime(checking, 'check of the input', tool, signal, clock) : checking)
    const issues = [...(checked.issues ?? []), ...(tool.strict ? unknownKeys(tool.inputSchema, input) : [])]
    if (checked.issues || issues.length > 0)
      return refuse({ ...invalidInput(validationMessage(toolUse.name, input, issues)), error: invalidError(toolUse.name, input, issues) })
    const parsed: unknown = checked.value
    const judging = flagsOf(tool, parsed)
    const flags = judging instanceof Promise ? await inTime(judging, 'judgement of the call', tool, signal, clock) : judging
    return { toolUse, tool, input, parsed, flags, refused: undefined }
  } catch (error) {
    if (signal?.aborted) return refuse(cancelledOutcome(false))
    if (error instanceof TooSlow) return refuse({ status: 'error', code: 'timeout', content: [{ type: 'text', text: error.message }] })
    return refuse({ ...thrown(error), code: 'invalid_input' })
  }
}

function notFound(name: string, names: readonly string[]): ToolOutcome {
  const close = closeNames(name, names)
  const shown =
    close.length > 0
      ? `Did you mean ${close.join(' or ')}?`
      : names.length > 0
        ? `There are: ${names.slice(0, 50).join(', ')}.`
        : 'There are no tools.'
  return { status: 'error', code: 'not_found', content: [{ type: 'text', text: `There is no tool "${headOf(name, 100)}". ${shown}` }] }
}

/** For the developer, in the outcome's `error`: all that is wrong, and the input as it came. */
const invalidError = (name: string, input: unknown, issues: readonly StandardIssue[]): InputError =>
  new InputError(
    `The model called ${name} with an input that its schema does not take: ${issues.map(({ message, path = [] }) => `${path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || '(root)'}: ${message}`).join('; ')}`,
    { code: 'invalid_tool_input', cause: { input, issues } },
  )

const invalidInput = (text: string): ToolOutcome => ({ status: 'error', code: 'invalid_input', content: [{ type: 'text', text }] })

function unparsable(toolUse: ToolUseBlock, { text, error }: NonNullable<ToolUseBlock['invalidInput']>): ToolOutcome {
  return invalidInput(`The input of ${toolUse.name} is not a JSON object, so nothing was run: ${error}\nIt began: ${text}`)
}
