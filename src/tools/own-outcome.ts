import type { ToolResultCode, ToolResultContent } from '../messages/content.ts'
import { text, toolResultCodes } from '../messages/content.ts'
import { isResultContent } from '../messages/stored.ts'
import type { JsonValue } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import type { ToolOutcome } from './tool.ts'

/**
 * An outcome that a hook, a middleware or an engine gave, as a copy that nobody else holds; `undefined` when it is none.
 *
 * @throws {TypeError} for content that JSON cannot carry.
 */
export function ownOutcome(given: unknown): ToolOutcome | undefined {
  if (!isObject(given)) return undefined
  const { status, code, content, structuredContent, value, error } = given
  if (status !== 'success' && status !== 'error') return undefined
  if (code !== undefined && !toolResultCodes.some((known) => known === code)) return undefined
  const blocks: unknown = typeof content === 'string' ? [text(content)] : content
  if (!Array.isArray(blocks) || !blocks.every(isResultContent)) return undefined
  return {
    status,
    ...(code !== undefined && { code: code as ToolResultCode }),
    content: frozenCopy(blocks as readonly ToolResultContent[]),
    ...(structuredContent !== undefined && { structuredContent: frozenCopy(structuredContent as JsonValue) }),
    ...('value' in given && { value }),
    ...('error' in given && { error }),
  }
}
