import type { DocumentBlock, ImageBlock } from '../../../messages/content.ts'
import type { JsonObject } from '../../../util/json.ts'
import { base64Text } from '../../wire/base64-text.ts'

/** An image or a document as a part of an input. Text is sent as text, whatever it was called. */
export function mediaPart(block: ImageBlock | DocumentBlock): JsonObject {
  const { source, mediaType } = block
  const title = block.type === 'document' ? block.title : undefined
  if (source.type === 'text') return textPart(source.text, title)
  if (block.type === 'image')
    // The default, but the API's own types want it said, and servers of others hold requests against these.
    return { type: 'input_image', detail: 'auto', image_url: source.type === 'url' ? source.url : dataUrl(mediaType, source.data) }
  if (source.type === 'url') return { type: 'input_file', file_url: source.url }
  if (mediaType.startsWith('text/')) return textPart(base64Text(source.data), title)
  const filename = title ?? `document.${mediaType.split(/[/+;]/)[1] ?? 'bin'}`
  return { type: 'input_file', filename, file_data: dataUrl(mediaType, source.data) }
}

const textPart = (text: string, title: string | undefined): JsonObject => ({
  type: 'input_text',
  text: title === undefined ? text : `${title}:\n\n${text}`,
})
const dataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`
