import type { JsonValue } from '../../util/json.ts'
import type { Metadata, SupportedUrls } from './spec.ts'

/** How a prompt is written for a model. */
export type PromptForm = {
  readonly version: 'v4' | 'v3'
  /** The key of this provider's data in blocks. */
  readonly provider: string
  /** Do results of tools carry pictures and documents? */
  readonly inResults: boolean
  readonly supportedUrls: SupportedUrls
}

/* The prompt of the specification, as far as it is made here. Where v3 and v4 differ, `media.ts` knows how. */

/** A part may bear a mark that was set behind it. */
export type Told = { providerOptions?: Metadata }

export type FileContent = Told & { readonly type: 'file'; readonly mediaType: string; readonly data: unknown; readonly filename?: string }
export type TextContent = Told & { readonly type: 'text'; readonly text: string }
export type UserPart = TextContent | FileContent

export type ResultContent = { readonly type: string; readonly [key: string]: unknown }
export type ResultOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: JsonValue }
  | { readonly type: 'content'; readonly value: ResultContent[] }
export type ResultPart = Told & {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ResultOutput
}

export type AssistantPart =
  | UserPart
  | ResultPart
  | (Told & { readonly type: 'reasoning'; readonly text: string })
  | (Told & { readonly type: 'reasoning-file'; readonly mediaType: string; readonly data: unknown })
  | (Told & { readonly type: 'custom'; readonly kind: string })
  | (Told & {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: JsonValue
      readonly providerExecuted?: true
    })

export type PromptMessage = Told &
  (
    | { readonly role: 'system'; readonly content: string }
    | { readonly role: 'user'; readonly content: UserPart[] }
    | { readonly role: 'assistant'; readonly content: AssistantPart[] }
    | { readonly role: 'tool'; readonly content: ResultPart[] }
  )
