import type {
  AssistantBlock,
  Citation,
  DocumentBlock,
  ImageBlock,
  ProviderData,
  ReasoningBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ToolUseBlock,
} from '../messages/content.ts'
import type { JsonObject } from '../util/json.ts'
import type { ParsedInput } from './tool-input.ts'
import { parseToolInput } from './tool-input.ts'

/** A block while its pieces come. */
export type Building =
  | {
      readonly type: 'text'
      readonly id: string
      text: string
      citations: Citation[] | undefined
      provider: JsonObject | undefined
      open: boolean
    }
  | {
      readonly type: 'reasoning'
      readonly id: string
      text: string
      signature: string | undefined
      redacted: string | undefined
      provider: JsonObject | undefined
      open: boolean
    }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      text: string
      parsedLength: number
      parsed: ParsedInput | undefined
      provider: JsonObject | undefined
      open: boolean
    }
  | {
      readonly type: 'given'
      readonly block: ServerToolUseBlock | ServerToolResultBlock | ImageBlock | DocumentBlock
      text: string
      provider: JsonObject | undefined
      open: boolean
    }

/**
 * The block as it is stored, or nothing when nothing came of it. The kinds that most messages have are written out: an object that
 * begins with a spread, or ends in one, has room for more, as long as the history lives.
 */
export function build(block: Building, provider: string): AssistantBlock | undefined {
  const data: { provider?: ProviderData } = block.provider === undefined ? {} : { provider: { [provider]: block.provider } }
  switch (block.type) {
    case 'text':
      if (block.text === '' && !block.citations && !block.provider) return undefined
      if (!block.citations && !block.provider) return { type: 'text', text: block.text } satisfies TextBlock
      return { type: 'text', text: block.text, ...(block.citations && { citations: block.citations }), ...data } satisfies TextBlock
    case 'reasoning': {
      if (block.text === '' && block.signature === undefined && block.redacted === undefined && !block.provider) return undefined
      const { text, signature, redacted: hidden } = block
      return {
        type: 'reasoning',
        text,
        ...(signature !== undefined && { signature }),
        ...(hidden !== undefined && { redacted: hidden }),
        ...data,
      } satisfies ReasoningBlock
    }
    case 'tool_use': {
      const { id, name } = block
      const { input, invalidInput } = block.parsed ?? parseToolInput(block.text)
      if (invalidInput) return { type: 'tool_use', id, name, input, invalidInput, ...data } satisfies ToolUseBlock
      if (!data.provider) return { type: 'tool_use', id, name, input } satisfies ToolUseBlock
      return { type: 'tool_use', id, name, input, provider: data.provider } satisfies ToolUseBlock
    }
    case 'given': {
      const own = block.provider === undefined ? block.block : { ...block.block, ...data }
      if (own.type !== 'server_tool_use' || block.text === '') return own
      return { ...own, input: parseToolInput(block.text).input }
    }
  }
}
