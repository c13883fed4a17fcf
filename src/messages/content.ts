import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'

/** What one wire needs back and no other understands, by provider: `{ anthropic: {…} }`. */
export type ProviderData = { readonly [provider: string]: JsonObject }

export type TextBlock = {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[] | undefined
  readonly provider?: ProviderData | undefined
}
export type Citation = {
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly quote?: string | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly provider?: ProviderData | undefined
}
/** What the model thought. `signature` proves it to its provider; `redacted` is thinking that only the provider can read. */
export type ReasoningBlock = {
  readonly type: 'reasoning'
  readonly text: string
  readonly signature?: string | undefined
  readonly redacted?: string | undefined
  readonly provider?: ProviderData | undefined
}
/** One tool call. `id` is ours and unique in the history; the provider's own id stays in `provider`. */
export type ToolUseBlock = {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** The model sent something that is not a JSON object; `input` is then `{}` and the call is answered with this error. */
  readonly invalidInput?: { readonly text: string; readonly error: string } | undefined
  readonly provider?: ProviderData | undefined
}
export const toolResultCodes = ['cancelled', 'denied', 'timeout', 'not_found', 'invalid_input', 'unknown_outcome', 'not_answered'] as const
export type ToolResultCode = (typeof toolResultCodes)[number]
export type ToolResultBlock = {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly status: 'success' | 'error'
  readonly code?: ToolResultCode | undefined
  readonly content: readonly ToolResultContent[]
  readonly structuredContent?: JsonValue | undefined
}
export type MediaSource =
  | { readonly type: 'base64'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'text'; readonly text: string }
export type ImageBlock = { readonly type: 'image'; readonly mediaType: string; readonly source: MediaSource }
export type DocumentBlock = {
  readonly type: 'document'
  readonly mediaType: string
  readonly source: MediaSource
  readonly title?: string | undefined
}
/** A tool that the provider itself ran, and what came of it. */
export type ServerToolUseBlock = {
  readonly type: 'server_tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonValue
  readonly provider?: ProviderData | undefined
}
export type ServerToolResultBlock = {
  readonly type: 'server_tool_result'
  readonly toolUseId: string
  readonly content: JsonValue
  readonly provider?: ProviderData | undefined
}
/** Everything up to here may be kept in the provider's prompt cache. */
export type CachePointBlock = { readonly type: 'cache_point'; readonly ttl?: '5m' | '1h' | undefined }
export type JsonBlock = { readonly type: 'json'; readonly value: JsonValue }

export type ToolResultContent = TextBlock | ImageBlock | DocumentBlock | JsonBlock
export type UserBlock = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock | CachePointBlock
export type AssistantBlock =
  | TextBlock
  | ReasoningBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | ImageBlock
  | DocumentBlock
export type ContentBlock = UserBlock | AssistantBlock

export const userBlockTypes: readonly string[] = ['text', 'image', 'document', 'tool_result', 'cache_point']
export const resultContentTypes: readonly string[] = ['text', 'image', 'document', 'json']
export const assistantBlockTypes: readonly string[] = [
  'text',
  'reasoning',
  'tool_use',
  'server_tool_use',
  'server_tool_result',
  'image',
  'document',
]

/** A text block. */
export function text(value: string): TextBlock {
  if (typeof value !== 'string') throw new InputError(`text(): expected a text, got ${describe(value)}.`)
  return { type: 'text', text: value }
}

/**
 * An image for the model.
 *
 * @param data its bytes, its base64 text, or the URL where the provider can fetch it.
 * @param mediaType for example `image/png`.
 */
export function image(data: Uint8Array | string | URL, mediaType: string): ImageBlock {
  checkMedia('image', data, mediaType, 'image/png')
  return { type: 'image', mediaType, source: mediaSource(data) }
}

/**
 * A document for the model.
 *
 * @param data its bytes, its base64 text (plain text where `mediaType` is `text/plain`), or the URL where the provider can fetch it.
 * @param mediaType for example `application/pdf`.
 */
export function document(data: Uint8Array | string | URL, mediaType: string, title?: string): DocumentBlock {
  checkMedia('document', data, mediaType, 'application/pdf')
  const source: MediaSource = mediaType === 'text/plain' && typeof data === 'string' ? { type: 'text', text: data } : mediaSource(data)
  return title === undefined ? { type: 'document', mediaType, source } : { type: 'document', mediaType, source, title }
}

function checkMedia(maker: string, data: unknown, mediaType: unknown, example: string): void {
  if (!(typeof data === 'string' || data instanceof URL || data instanceof Uint8Array))
    throw new InputError(`${maker}(): expected bytes (a Uint8Array), a base64 text or a URL, got ${describe(data)}.`)
  if (typeof data === 'string' && mediaType !== 'text/plain' && /^(https?|file|data):/i.test(data))
    throw new InputError(
      `${maker}(): ${describe(data)} is an address, and a text here is base64. Give new URL(…) for the provider to fetch it, or the bytes.`,
    )
  if (typeof mediaType !== 'string' || !/^[\w.+-]+\/[\w.+-]+/.test(mediaType))
    throw new InputError(`${maker}(): expected a media type such as "${example}" behind the data, got ${describe(mediaType)}.`)
}

function mediaSource(data: Uint8Array | string | URL): MediaSource {
  if (data instanceof URL) return { type: 'url', url: data.href }
  return { type: 'base64', data: typeof data === 'string' ? data : base64(data) }
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // In pieces: the arguments of one call are limited.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary)
}

/** The text of a message or of blocks, without reasoning, tool calls and results. */
export function textOf(from: { readonly content: readonly ContentBlock[] } | readonly ContentBlock[]): string {
  const blocks: unknown = typeof from === 'object' && from !== null && 'content' in from ? from.content : from
  if (!Array.isArray(blocks)) throw new InputError(`textOf(): expected a message, or a list of blocks, got ${describe(from)}.`)
  let all = ''
  for (const block of blocks as readonly (ContentBlock | null)[]) if (block?.type === 'text') all += block.text
  return all
}
