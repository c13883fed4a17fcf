import type { ContentBlockStart, ImageBlockDelta, ToolResultBlockDelta } from '@aws-sdk/client-bedrock-runtime'
import type { BlockDelta, ModelEvent } from '../../models/model-events.ts'
import type { JsonValue } from '../../util/json.ts'
import { base64Of } from './base64.ts'
import { providerName } from './options.ts'
import { makersData } from './own-blocks.ts'
import { plainJson } from './plain-json.ts'

/** A block that is told only when it is whole: its pieces mean nothing to anybody. */
export type HeldBlock =
  | { readonly type: 'tool_result'; readonly start: NonNullable<ContentBlockStart['toolResult']>; readonly content: JsonValue[] }
  | { readonly type: 'image'; readonly format: string; readonly pieces: Uint8Array[]; location: string | undefined }
  | { readonly type: 'redacted'; readonly pieces: Uint8Array[] }

/** The result of a tool that the server ran, or a picture, as it begins. */
export function heldBlock({ toolResult, image }: ContentBlockStart): HeldBlock | undefined {
  if (toolResult) return { type: 'tool_result', start: toolResult, content: [] }
  return image ? { type: 'image', format: image.format ?? 'png', pieces: [], location: undefined } : undefined
}

export function addResult(held: HeldBlock | undefined, parts: readonly ToolResultBlockDelta[]): void {
  if (held?.type === 'tool_result') held.content.push(...parts.map(plainJson))
}

export function addImage(held: HeldBlock | undefined, { source }: ImageBlockDelta): void {
  if (held?.type !== 'image') return
  if (source?.bytes) held.pieces.push(source.bytes)
  if (source?.s3Location?.uri) held.location = source.s3Location.uri
}

/** What a whole one is told as, before its stop. */
export function eventsOf(held: HeldBlock, index: number, maker: string | undefined): readonly ModelEvent[] {
  const delta = (of: BlockDelta): ModelEvent => ({ type: 'block_delta', index, delta: of })
  switch (held.type) {
    case 'tool_result': {
      const { toolUseId = '', type, status } = held.start
      const provider = { [providerName]: makersData(maker, { ...(type && { type }), ...(status && { status }) }) }
      return [{ type: 'block_start', index, block: { type: 'server_tool_result', toolUseId, content: held.content, provider } }]
    }
    case 'image': {
      const { format, pieces, location } = held
      if (pieces.length === 0 && location === undefined) return []
      const source =
        location === undefined ? ({ type: 'base64', data: base64Of(joined(pieces)) } as const) : ({ type: 'url', url: location } as const)
      return [{ type: 'block_start', index, block: { type: 'image', mediaType: `image/${format}`, source } }]
    }
    case 'redacted':
      return [delta({ type: 'reasoning', redacted: base64Of(joined(held.pieces)) }), delta({ type: 'provider', data: makersData(maker) })]
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
