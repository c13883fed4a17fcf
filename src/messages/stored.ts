import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import type { Ids } from '../util/ids.ts'
import { frozenCopy, isObject, isOwnFrozen, isVouchedFor, vouchFor } from '../util/json.ts'
import { assistantBlockTypes, resultContentTypes, userBlockTypes } from './content.ts'
import type { ContentBlock } from './content.ts'
import type { Message, MessageInput } from './message.ts'

export { describe }

/** The message stands in a history, so it is not checked again. That data is frozen and ours is not enough: records of sessions are too. */
export const trust: (message: Message) => void = vouchFor

/**
 * A message as it is stored: checked, copied, frozen, with an id. One that is stored already comes back itself.
 *
 * @throws {InputError} that names the path, what was expected and what came.
 */
export function storedMessage(message: MessageInput, ids: Pick<Ids, 'next'>, path: string): Message {
  if (!isObject(message)) refuse(path, 'a message { role, content }', message)
  if (isVouchedFor(message)) return message as Message
  const { role, content, id, metadata } = message
  if (role !== 'user' && role !== 'assistant')
    refuse(`${path}.role`, '"user" or "assistant" (the system prompt is the option `instructions`)', role)
  if (id !== undefined && (typeof id !== 'string' || id === '')) refuse(`${path}.id`, 'a non-empty string', id)
  if (metadata !== undefined && !isObject(metadata)) refuse(`${path}.metadata`, 'an object', metadata)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  if (!Array.isArray(blocks)) refuse(`${path}.content`, 'a string or an array of content blocks', content)
  checkBlocks(blocks, role, `${path}.content`)
  const isWhole = isOwnFrozen(message) && id !== undefined && blocks === content
  const stored = (
    isWhole ? message : frozen({ id: id ?? ids.next('message'), role, content: blocks, ...(metadata && { metadata }) }, path)
  ) as Message
  trust(stored)
  return stored
}

/** Content blocks of a user, checked, copied and frozen. */
export function storedBlocks<B extends ContentBlock>(blocks: readonly B[], role: 'user' | 'assistant', path: string): readonly B[] {
  checkBlocks(blocks, role, path)
  return frozen(blocks, path)
}

function frozen<T>(value: T, path: string): T {
  try {
    return frozenCopy(value, path)
  } catch (error) {
    throw new InputError(error instanceof TypeError ? error.message : `${path} cannot be read: ${String(error)}`, { cause: error })
  }
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isDefined = (value: unknown): boolean => value !== undefined
const isStatus = (value: unknown): boolean => value === 'success' || value === 'error'
const isInvalidInput = (value: unknown): boolean => isObject(value) && isString(value['text']) && isString(value['error'])
const isSource = (value: unknown): boolean =>
  isObject(value) &&
  ((value['type'] === 'base64' && isString(value['data'])) ||
    (value['type'] === 'url' && isString(value['url'])) ||
    (value['type'] === 'text' && isString(value['text'])))

type Field = readonly [name: string, expected: string, holds: (value: unknown) => boolean]

const optional = ([name, expected, holds]: Field): Field => [name, `${expected} or nothing`, (value) => value === undefined || holds(value)]
const provider = optional(['provider', 'an object by provider', isObject])

/** The fields of each block: what is expected, and how to tell. */
const fields: Record<string, readonly Field[]> = {
  text: [['text', 'a string', isString], optional(['citations', 'an array', Array.isArray]), provider],
  reasoning: [
    ['text', 'a string', isString],
    optional(['signature', 'a string', isString]),
    optional(['redacted', 'a string', isString]),
    provider,
  ],
  tool_use: [
    ['id', 'a non-empty string', isFilled],
    ['name', 'a string', isString],
    ['input', 'an object', isObject],
    optional(['invalidInput', '{ text, error }', isInvalidInput]),
    provider,
  ],
  tool_result: [
    ['toolUseId', 'a non-empty string', isFilled],
    ['status', '"success" or "error"', isStatus],
    optional(['code', 'a string', isString]),
    ['content', 'an array of text, image, document and json blocks', Array.isArray],
  ],
  image: [
    ['mediaType', 'a media type such as "image/png"', isFilled],
    ['source', '{ type: "base64", data } or { type: "url", url }', isSource],
  ],
  document: [
    ['mediaType', 'a media type such as "application/pdf"', isFilled],
    ['source', '{ type: "base64", data }, { type: "url", url } or { type: "text", text }', isSource],
    optional(['title', 'a string', isString]),
  ],
  server_tool_use: [['id', 'a string', isString], ['name', 'a string', isString], ['input', 'a JSON value', isDefined], provider],
  server_tool_result: [['toolUseId', 'a string', isString], ['content', 'a JSON value', isDefined], provider],
  cache_point: [],
  json: [['value', 'a JSON value', isDefined]],
}

export function isResultContent(value: unknown): boolean {
  if (!isObject(value)) return false
  const type = value['type']
  return typeof type === 'string' && resultContentTypes.includes(type) && fields[type]!.every(([name, , holds]) => holds(value[name]))
}

function checkBlocks(blocks: readonly unknown[], role: 'user' | 'assistant', path: string): void {
  // By index: `forEach` would pass over the holes of a sparse array.
  const [allowed, where] = role === 'user' ? [userBlockTypes, 'a user message'] : [assistantBlockTypes, 'an assistant message']
  for (let i = 0; i < blocks.length; i++) checkBlock(blocks[i], allowed, where, `${path}[${i}]`)
}

function checkBlock(block: unknown, allowed: readonly string[], where: string, path: string): void {
  if (!isObject(block)) refuse(path, `a content block of ${where} (${allowed.join(', ')})`, block)
  const type = block['type']
  if (typeof type !== 'string' || !allowed.includes(type)) refuse(`${path}.type`, `one of ${allowed.join(', ')} in ${where}`, type)
  for (const [name, expected, holds] of fields[type] ?? []) if (!holds(block[name])) refuse(`${path}.${name}`, expected, block[name])
  if (type !== 'tool_result') return
  const parts = block['content'] as readonly unknown[]
  for (let i = 0; i < parts.length; i++) checkBlock(parts[i], resultContentTypes, 'a tool result', `${path}.content[${i}]`)
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new InputError(`${path}: expected ${expected}, got ${describe(got)}.`)
}
