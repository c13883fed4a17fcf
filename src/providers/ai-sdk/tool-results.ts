import type { ToolResultBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { invalidToolName } from '../../messages/normalise.ts'
import { jsonText } from '../wire/json-text.ts'
import { toolUses, wireIds } from './assistant-parts.ts'
import { mediaPart, resultMedia } from './media.ts'
import type { PromptForm, ResultContent, ResultOutput, ResultPart, UserPart } from './prompt-types.ts'

export type Calls = ReadonlyMap<string, { readonly id: string; readonly name: string }>

/** The calls that a message answers, by our ids: their ids on the wire, and their names. */
export function callsOf(previous: SendableMessage | undefined, provider: string): Calls {
  if (previous?.role !== 'assistant') return new Map()
  const ids = wireIds(previous.content, provider)
  return new Map(toolUses(previous.content).map(({ id, name }) => [id, { id: ids.get(id)!, name }]))
}

/** @param attached gets what belongs to the result and stands behind all results. */
export function resultPart(result: ToolResultBlock, calls: Calls, attached: UserPart[], form: PromptForm): ResultPart {
  const { id, name } = calls.get(result.toolUseId) ?? { id: result.toolUseId, name: invalidToolName }
  return { type: 'tool-result', toolCallId: id, toolName: name, output: outputOf(result, id, attached, form) }
}

/** Failures are told in text alone. Pictures and documents that cannot stand in a result stand behind all results. */
function outputOf({ status, content }: ToolResultBlock, id: string, attached: UserPart[], form: PromptForm): ResultOutput {
  const failed = status === 'error'
  const [only] = content
  if (content.length === 1 && only?.type === 'json') return { type: failed ? 'error-json' : 'json', value: only.value }
  const parts = content.map((part): ResultContent => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'json') return { type: 'text', text: jsonText(part.value) }
    const media = resultMedia(part, failed ? { ...form, inResults: false } : form)
    if (media) return media
    attached.push({ type: 'text', text: `The ${part.type} that belongs to the result of call ${id}:` }, mediaPart(part, form))
    return { type: 'text', text: `[${part.type}, ${part.mediaType}: in the next user message]` }
  })
  if (parts.some(({ type }) => type !== 'text')) return { type: 'content', value: parts }
  return { type: failed ? 'error-text' : 'text', value: parts.map(({ text }) => text).join('\n') }
}
