import type { DocumentBlock, ImageBlock } from '../../messages/content.ts'
import { base64Text } from '../wire/base64-text.ts'
import type { FileContent, PromptForm, ResultContent, UserPart } from './prompt-types.ts'
import type { SupportedUrls } from './spec.ts'

/**
 * A picture or a document for the model. Any text is a text, which every provider takes. A document that is an address which
 * the model does not fetch itself is its link.
 */
export function mediaPart(block: ImageBlock | DocumentBlock, form: PromptForm): UserPart {
  const { source, mediaType } = block
  const title = block.type === 'document' ? block.title : undefined
  if (source.type === 'text') return { type: 'text', text: headed(title, source.text) }
  if (source.type === 'url') {
    const fetched = URL.canParse(source.url) && (block.type === 'image' || isFetched(source.url, mediaType, form.supportedUrls))
    return fetched ? file(block, urlData(source.url, form)) : { type: 'text', text: `${title ?? nameOf(block)}: ${source.url}` }
  }
  if (block.type === 'document' && textual.test(mediaType)) return { type: 'text', text: headed(title, base64Text(source.data)) }
  return file(block, form.version === 'v4' ? { type: 'data', data: source.data } : source.data)
}

/** The same in the result of a tool; nothing where it cannot stand there. */
export function resultMedia(block: ImageBlock | DocumentBlock, form: PromptForm): ResultContent | undefined {
  const part = mediaPart(block, form)
  if (part.type === 'text') return { type: 'text', text: part.text }
  // Many that take bytes here take no address.
  if (!form.inResults || block.source.type !== 'base64') return undefined
  if (form.version === 'v4') return part
  const { mediaType, filename } = part
  const { data } = block.source
  return block.type === 'image'
    ? { type: 'image-data', data, mediaType }
    : { type: 'file-data', data, mediaType, ...(filename !== undefined && { filename }) }
}

/** What a model made, on its way back to it. */
export function ownFile(block: ImageBlock | DocumentBlock, form: PromptForm): FileContent {
  const { source } = block
  if (source.type === 'url') return file(block, urlData(source.url, form))
  const data = source.type === 'text' ? btoa(String.fromCharCode(...new TextEncoder().encode(source.text))) : source.data
  return file(block, form.version === 'v4' ? { type: 'data', data } : data)
}

export const urlData = (url: string, { version }: Pick<PromptForm, 'version'>): unknown =>
  version === 'v4' ? { type: 'url', url: new URL(url) } : new URL(url)

function file(block: ImageBlock | DocumentBlock, data: unknown): FileContent {
  const filename = block.type === 'document' ? block.title : undefined
  return { type: 'file', mediaType: block.mediaType, data, ...(filename !== undefined && { filename }) }
}

const headed = (title: string | undefined, text: string): string => (title === undefined ? text : `${title}:\n\n${text}`)
const nameOf = ({ type }: ImageBlock | DocumentBlock): string => (type === 'image' ? 'Image' : 'Document')

/** Media types whose bytes are text, whatever they are called. */
const textual = /^text\/|[/+](json|xml|ya?ml|javascript|typescript|toml|sql)$/

function isFetched(url: string, mediaType: string, supported: SupportedUrls): boolean {
  return Object.entries(supported).some(([type, patterns]) => {
    // A part that ends in a star stands for all that begins like it.
    const prefix = type.toLowerCase().replace(/^\*(\/\*)?$|\*$/, '')
    const fits = type.includes('*') ? mediaType.toLowerCase().startsWith(prefix) : mediaType.toLowerCase() === prefix
    return fits && patterns.some((pattern) => pattern.test(url.toLowerCase()))
  })
}
