import type { ToolResultBlock } from '../messages/content.ts'

/**
 * The structured content of a result as it is written, where that has more than `maxChars` characters. The model does not read it,
 * but the history holds it, and sessions and checkpoints with the history.
 */
export function largeStructured({ structuredContent }: ToolResultBlock, maxChars: number): string | undefined {
  if (structuredContent === undefined || maxChars === Infinity) return undefined
  const written = JSON.stringify(structuredContent) ?? 'null'
  return written.length > maxChars ? written : undefined
}

/** Does this text have it all? A tool with structured content should say the same in its text (MCP asks for it), as JSON. */
export const says = (text: string, { structuredContent }: ToolResultBlock, written: string): boolean =>
  text.includes(written) || text.includes(JSON.stringify(structuredContent, null, 2))
