import type { ToolResultCode, ToolResultContent } from '../messages/content.ts'
import { toolResultCodes } from '../messages/content.ts'
import { isResultContent } from '../messages/stored.ts'
import type { JsonValue } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import { isBlank } from '../util/text.ts'
import { readable } from './readable.ts'
import type { ToolOutcome } from './tool.ts'

/** What the model reads when a tool had nothing to say. */
export const noOutput = '(no output)'

const say = (text: string): ToolResultContent => ({ type: 'text', text: isBlank(text) ? noOutput : text })

/**
 * Makes a result for the model out of whatever a tool returned: a string as it is, content blocks as they are,
 * `{ status, content }` as it says, other values as JSON. What JSON cannot carry is rendered readably, or is an error; never
 * a silent `{}`.
 */
export function wrapResult(value: unknown): ToolOutcome {
  try {
    return Object.assign(wrap(value), { value })
  } catch (error) {
    // A getter can throw anything.
    const said = error instanceof Error ? error.message : typeof error === 'string' ? error : 'reading it failed.'
    return { status: 'error', content: [say(`The tool ran, but its result cannot be shown: ${said}`)], value, error }
  }
}

function wrap(value: unknown): ToolOutcome {
  if (typeof value === 'string') return success([say(value)])
  if (value === undefined) return success([say('')])
  if (isResultContent(value)) return success(blocks([value]))
  if (Array.isArray(value) && value.length > 0 && areBlocks(value)) return success(blocks(value))
  if (isOutcome(value)) {
    const content =
      typeof value.content === 'string' ? [say(value.content)] : value.content.length === 0 ? [say('')] : blocks(value.content)
    const { status, code, structuredContent } = value
    return {
      status,
      content,
      ...(isCode(code) && { code }),
      ...(structuredContent !== undefined && { structuredContent: frozenCopy(structuredContent) }),
    }
  }
  const shown = readable(value)
  return success([say(typeof shown === 'string' ? shown : JSON.stringify(shown))])
}

/** By index: `every` would pass over the holes of a sparse array. */
function areBlocks(values: readonly unknown[]): boolean {
  for (let i = 0; i < values.length; i++) if (!isResultContent(values[i])) return false
  return true
}

const success = (content: readonly ToolResultContent[]): ToolOutcome => ({ status: 'success', content })

/** The tool's own blocks, copied: what goes into the history must not change under it. An empty text gets the placeholder. */
function blocks(given: readonly unknown[]): readonly ToolResultContent[] {
  return frozenCopy(given as readonly ToolResultContent[]).map((block) => (block.type === 'text' && block.text === '' ? say('') : block))
}

const isCode = (code: unknown): code is ToolResultCode => toolResultCodes.some((known) => known === code)

type OutcomeLike = {
  readonly status: 'success' | 'error'
  readonly content: string | readonly unknown[]
  readonly code?: unknown
  readonly structuredContent?: JsonValue
}

function isOutcome(value: unknown): value is OutcomeLike {
  if (!isObject(value) || (value['status'] !== 'success' && value['status'] !== 'error')) return false
  const content = value['content']
  return typeof content === 'string' || (Array.isArray(content) && areBlocks(content))
}
