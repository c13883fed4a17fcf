import type { JsonObject } from '../../util/json.ts'

/*
 * What is used of the AI SDK's specification of language models, v3 and v4. Declared here, so that our types need no package
 * of its, and a model of any version of them fits.
 */

/** What a provider says, or is told, by provider. */
export type Metadata = { readonly [provider: string]: JsonObject }

/** Which addresses a model fetches itself, by media type (`image/*`). */
export type SupportedUrls = { readonly [mediaType: string]: readonly RegExp[] }

/** A language model of the AI SDK, as its providers give it: `mistral('mistral-large-latest')`. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v4' | 'v3'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls?: PromiseLike<SupportedUrls> | SupportedUrls | undefined
  /** Takes the call options of its specification. */
  doStream(options: never): PromiseLike<StreamResult>
}

export type StreamResult = { readonly stream: PartSource }

/** As much as is needed of a `ReadableStream`. */
export interface PartSource {
  getReader(): PartReader
  cancel(reason?: unknown): Promise<void>
}

export interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

type Said = { readonly providerMetadata?: Metadata | undefined }

/** v3 gives the data alone, v4 says which it is. */
export type FileData =
  | string
  | Uint8Array
  | { readonly type: 'data'; readonly data: string | Uint8Array }
  | { readonly type: 'url'; readonly url: URL; readonly originalUrl?: string | undefined }

export type SourcePart = Said & {
  readonly type: 'source'
  readonly sourceType: 'url' | 'document'
  readonly id: string
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly filename?: string | undefined
}

/** What supports a text; v4 tells it at the end of the text. */
export type TextCitation = {
  readonly source: SourcePart
  readonly startIndex?: number | undefined
  readonly endIndex?: number | undefined
  readonly citedText?: string | undefined
}

export type TextPart = Said &
  (
    | { readonly type: 'text-start' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
    | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
    | { readonly type: 'text-end'; readonly id: string; readonly citations?: readonly TextCitation[] | undefined }
  )

export type ToolPart = Said &
  (
    | {
        readonly type: 'tool-input-start'
        readonly id: string
        readonly toolName: string
        readonly providerExecuted?: boolean | undefined
        /** `text`: the pieces are no JSON, only the input of the whole call is. */
        readonly inputEncoding?: 'json' | 'text' | undefined
      }
    | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
    | { readonly type: 'tool-input-end'; readonly id: string }
    | {
        readonly type: 'tool-call'
        readonly toolCallId: string
        readonly toolName: string
        readonly input: string
        readonly providerExecuted?: boolean | undefined
      }
    | {
        readonly type: 'tool-result'
        readonly toolCallId: string
        readonly toolName: string
        readonly result: unknown
        readonly isError?: boolean | undefined
        /** Another result of the same call will take its place. */
        readonly preliminary?: boolean | undefined
      }
  )

export type FilePart = Said & { readonly type: 'file' | 'reasoning-file'; readonly mediaType: string; readonly data: FileData }

/** The specification has an object. What is written after an older one gives the word alone. */
export type FinishReason = string | { readonly unified: string; readonly raw?: string | undefined }

/** The same of usage: numbers are of an older specification. */
export type SpecUsage = {
  readonly inputTokens?:
    | number
    | {
        readonly total?: number | undefined
        readonly noCache?: number | undefined
        readonly cacheRead?: number | undefined
        readonly cacheWrite?: number | undefined
      }
    | undefined
  readonly outputTokens?: number | { readonly total?: number | undefined; readonly reasoning?: number | undefined } | undefined
  readonly cachedInputTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
}

export type FinishPart = Said & { readonly type: 'finish'; readonly finishReason: FinishReason; readonly usage: SpecUsage }

/** What a stream of v3 or v4 brings. */
export type StreamPart =
  | { readonly type: 'stream-start'; readonly warnings: readonly unknown[] }
  | { readonly type: 'response-metadata'; readonly id?: string | undefined; readonly modelId?: string | undefined }
  | TextPart
  | ToolPart
  | (Said & { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string })
  | (Said & { readonly type: 'custom'; readonly kind: string })
  | FilePart
  | SourcePart
  | FinishPart
  | { readonly type: 'ping' }
  | { readonly type: 'raw'; readonly rawValue: unknown }
  | { readonly type: 'error'; readonly error: unknown }
