import type { MessageInput } from '../messages/message.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { Connection } from './connection.ts'
import { reading, signalOf } from './resources.ts'
import type { McpRequestOptions } from './resources.ts'
import { contentFrom } from './result-content.ts'

export type McpPrompt = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?:
    | readonly { readonly name: string; readonly description?: string | undefined; readonly required?: boolean | undefined }[]
    | undefined
}

/** Texts that a server has ready. Empty where it has none. */
export interface McpPrompts {
  list(options?: McpRequestOptions): Promise<readonly McpPrompt[]>
  /** As messages, ready for `agent.invoke()`. */
  get(name: string, args?: Readonly<Record<string, string>>, options?: McpRequestOptions): Promise<readonly MessageInput[]>
}

export function promptsOf(connection: Connection, timeout: number, mediaTypes: readonly string[]): McpPrompts {
  return {
    list: (options) =>
      connection.request(async ({ client }) => {
        if (!client.getServerCapabilities()?.prompts) return []
        return (await client.listPrompts(undefined, { timeout, ...signalOf(options) })).prompts
      }, reading(options)),
    get: (name, args = {}, options) =>
      connection.request(async ({ client }) => {
        const { messages } = await client.getPrompt({ name, arguments: { ...args } }, { timeout, ...signalOf(options) })
        return joined(messages.map(({ role, content }) => ({ role, block: contentFrom(content, mediaTypes) as ContentBlock })))
      }, reading(options)),
  }
}

/** Neighbours of one role are one message: no history has two in a row. */
function joined(parts: readonly { readonly role: 'user' | 'assistant'; readonly block: ContentBlock }[]): readonly MessageInput[] {
  const messages: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = []
  for (const { role, block } of parts) {
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(block)
    else messages.push({ role, content: [block] })
  }
  return messages
}
