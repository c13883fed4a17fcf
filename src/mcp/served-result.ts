import type { CallToolResult, ContentBlock as McpBlock } from '@modelcontextprotocol/server'
import type { ToolResultContent } from '../messages/content.ts'
import type { ToolOutcome } from '../tools/tool.ts'

/** How a call ended, as the protocol says it. */
export function resultFrom({ status, content, structuredContent }: ToolOutcome): CallToolResult {
  return {
    content: content.map((block, index) => blockFrom(block, index)),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(status === 'error' && { isError: true }),
  }
}

function blockFrom(block: ToolResultContent, index: number): McpBlock {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'json') return { type: 'text', text: JSON.stringify(block.value) }
  const { source, mediaType: mimeType } = block
  const title = block.type === 'document' ? block.title : undefined
  if (source.type === 'url') return { type: 'resource_link', uri: source.url, name: title ?? source.url, mimeType }
  if (block.type === 'image' && source.type === 'base64') return { type: 'image', data: source.data, mimeType }
  const uri = `result://${index}${title === undefined ? '' : `/${encodeURIComponent(title)}`}`
  return {
    type: 'resource',
    resource: source.type === 'text' ? { uri, mimeType, text: source.text } : { uri, mimeType, blob: source.data },
  }
}
