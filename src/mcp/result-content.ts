import type { ContentBlock as McpBlock } from '@modelcontextprotocol/client'
import type { ToolResultContent } from '../messages/content.ts'
import { document, image, text } from '../messages/content.ts'

/** What every model takes. */
export const usualMediaTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']

/** A block of a server's result, for the model. What the model cannot be shown it is told of. */
export function contentFrom(block: McpBlock, mediaTypes: readonly string[]): ToolResultContent {
  switch (block.type) {
    case 'text':
      return text(block.text)
    case 'image':
    case 'audio':
      return media(block.data, block.mimeType, `${block.type} of type ${block.mimeType}`, mediaTypes)
    case 'resource_link':
      return text(linkText(block))
    case 'resource': {
      const { resource } = block
      const type = resource.mimeType ?? ('text' in resource ? 'text/plain' : 'application/octet-stream')
      if ('text' in resource) return text(`[resource ${resource.uri} (${type})]\n${resource.text}`)
      return media(resource.blob, type, `resource ${resource.uri} of type ${type}`, mediaTypes, resource.uri)
    }
    default:
      return text(`[a block of the unknown type ${JSON.stringify((block as { type?: unknown }).type)}]`)
  }
}

function media(data: string, type: string, what: string, mediaTypes: readonly string[], title?: string): ToolResultContent {
  const plain = type.toLowerCase().split(';')[0]!.trim()
  if (!mediaTypes.includes(plain)) return text(`[${what}, ${bytesOf(data)} bytes: not shown]`)
  return plain.startsWith('image/') ? image(data, plain) : document(data, plain, title)
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}

function linkText({ uri, name, title, description, mimeType }: Extract<McpBlock, { type: 'resource_link' }>): string {
  const what = [title ?? name, mimeType].filter(Boolean).join(', ')
  return `[resource ${uri}${what === '' ? '' : ` (${what})`}]${description === undefined ? '' : `\n${description}`}`
}
