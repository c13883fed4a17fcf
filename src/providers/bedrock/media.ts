import type { DocumentBlock as WireDocument, DocumentFormat, ImageBlock as WireImage, ImageFormat } from '@aws-sdk/client-bedrock-runtime'
import type { DocumentBlock, ImageBlock } from '../../messages/content.ts'
import { bytesOf } from './base64.ts'

export type WireMedia = { readonly text: string } | { readonly image: WireImage } | { readonly document: WireDocument }

const imageFormats: Readonly<Record<string, ImageFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const documentFormats: Readonly<Record<string, DocumentFormat>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}
/** Media types whose bytes are text, whatever they are called. */
const textual = /^text\/|[/+](json|xml|ya?ml|javascript|typescript|toml|sql)$/

/**
 * A picture or a document as Bedrock takes it: by its bytes, or from S3. What it cannot take is told in a text, as a history
 * must stay sendable whoever wrote it.
 *
 * @param name what the document is called in this request.
 */
export function wireMedia(block: ImageBlock | DocumentBlock, name: string): WireMedia {
  const { mediaType, source } = block
  const what = `${block.type}, ${mediaType}`
  if (source.type === 'url' && !source.url.startsWith('s3://')) return { text: `[${what}: ${source.url}]` }
  if (block.type === 'image') {
    if (source.type === 'text') return { text: source.text }
    const format = imageFormats[mediaType.toLowerCase()]
    const from = format && fileSource(source)
    if (from) return { image: { format, source: from } }
    return {
      text: mediaType === 'image/svg+xml' && source.type === 'base64' ? decoded(source.data) : `[${what}: cannot be shown to this model]`,
    }
  }
  if (source.type === 'text')
    return { document: { format: formatOf(mediaType) ?? 'txt', name, source: { bytes: new TextEncoder().encode(source.text) } } }
  const format = formatOf(mediaType)
  const from = format && fileSource(source)
  return from ? { document: { format, name, source: from } } : { text: `[${what}: cannot be shown to this model]` }
}

const formatOf = (mediaType: string): DocumentFormat | undefined => {
  const plain = mediaType.toLowerCase().split(';')[0]!.trim()
  return documentFormats[plain] ?? (textual.test(plain) ? 'txt' : undefined)
}

type FileSource = { readonly bytes: Uint8Array } | { readonly s3Location: { readonly uri: string } }

function fileSource(
  source: { readonly type: 'base64'; readonly data: string } | { readonly type: 'url'; readonly url: string },
): FileSource | undefined {
  if (source.type === 'url') return { s3Location: { uri: source.url } }
  const bytes = bytesOf(source.data)
  return bytes && { bytes }
}

const decoded = (base64: string): string => new TextDecoder().decode(bytesOf(base64))
