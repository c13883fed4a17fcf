import { InputError } from '../errors.ts'
import type { Ids } from '../util/ids.ts'
import { frozenCopy, isObject, isOwnFrozen } from '../util/json.ts'
import { assistantBlockTypes, userBlockTypes } from './content.ts'
import type { ContentBlock } from './content.ts'
import type { Message, MessageInput } from './message.ts'

/**
 * A message as it is stored: checked, copied, frozen, with an id. One that is stored already comes back itself.
 *
 * @throws {InputError} that names the path, what was expected and what came.
 */
export function storedMessage(message: MessageInput, ids: Pick<Ids, 'next'>, path: string): Message {
  if (isOwnFrozen(message) && Array.isArray(message.content) && typeof message.id === 'string') return message as Message
  if (!isObject(message)) refuse(path, 'a message { role, content }', message)
  const { role, content, id, metadata } = message as MessageInput
  if (role !== 'user' && role !== 'assistant') refuse(`${path}.role`, '"user" or "assistant" (the system prompt is the option `instructions`)', role)
  if (id !== undefined && (typeof id !== 'string' || id === '')) refuse(`${path}.id`, 'a non-empty string', id)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  if (!Array.isArray(blocks)) refuse(`${path}.content`, 'a string or an array of content blocks', content)
  blocks.forEach((block, index) => checkBlock(block, role, `${path}.content[${index}]`))
  return frozen({ id: id ?? ids.next('message'), role, content: blocks, ...(metadata && { metadata }) }, path) as Message
}

/** Content blocks of a user, checked, copied and frozen. */
export function storedBlocks<B extends ContentBlock>(blocks: readonly B[], role: 'user' | 'assistant', path: string): readonly B[] {
  blocks.forEach((block, index) => checkBlock(block, role, `${path}[${index}]`))
  return frozen(blocks, path)
}

function frozen<T>(value: T, path: string): T {
  try {
    return frozenCopy(value, path)
  } catch (error) {
    if (error instanceof TypeError) throw new InputError(error.message, { cause: error })
    throw error
  }
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isDefined = (value: unknown): boolean => value !== undefined
const isStatus = (value: unknown): boolean => value === 'success' || value === 'error'
const isSource = (value: unknown): boolean => isObject(value) && ((value['type'] === 'base64' && isString(value['data'])) || (value['type'] === 'url' && isString(value['url'])) || (value['type'] === 'text' && isString(value['text'])))

/** The fields that each block must have: what is expected, and how to tell. */
const fields: Record<string, readonly (readonly [name: string, expected: string, holds: (value: unknown) => boolean])[]> = {
  text: [['text', 'a string', isString]],
  reasoning: [['text', 'a string', isString]],
  tool_use: [
    ['id', 'a non-empty string', isFilled],
    ['name', 'a string', isString],
    ['input', 'an object', isObject],
  ],
  tool_result: [
    ['toolUseId', 'a non-empty string', isFilled],
    ['status', '"success" or "error"', isStatus],
    ['content', 'an array of text, image, document and json blocks', (value) => Array.isArray(value) && value.every(isResultContent)],
  ],
  image: [
    ['mediaType', 'a media type such as "image/png"', isFilled],
    ['source', '{ type: "base64", data } or { type: "url", url }', isSource],
  ],
  document: [
    ['mediaType', 'a media type such as "application/pdf"', isFilled],
    ['source', '{ type: "base64", data }, { type: "url", url } or { type: "text", text }', isSource],
  ],
  server_tool_use: [
    ['id', 'a string', isString],
    ['name', 'a string', isString],
    ['input', 'a JSON value', isDefined],
  ],
  server_tool_result: [
    ['toolUseId', 'a string', isString],
    ['content', 'a JSON value', isDefined],
  ],
  cache_point: [],
  json: [['value', 'a JSON value', isDefined]],
}

export function isResultContent(value: unknown): boolean {
  if (!isObject(value)) return false
  const type = value['type']
  if (type !== 'text' && type !== 'image' && type !== 'document' && type !== 'json') return false
  return fields[type]!.every(([name, , holds]) => holds(value[name]))
}

function checkBlock(block: unknown, role: 'user' | 'assistant', path: string): void {
  const allowed = role === 'user' ? userBlockTypes : assistantBlockTypes
  if (!isObject(block)) refuse(path, `a content block of a ${role} message (${allowed.join(', ')})`, block)
  const type = block['type']
  if (typeof type !== 'string' || !allowed.includes(type)) refuse(`${path}.type`, `one of ${allowed.join(', ')} in a ${role} message`, type)
  for (const [name, expected, holds] of fields[type] ?? []) if (!holds(block[name])) refuse(`${path}.${name}`, expected, block[name])
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new InputError(`${path}: expected ${expected}, got ${describe(got)}.`)
}

/** A value in a few words, for an error message. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value)
}
