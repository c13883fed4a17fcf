import type { Connection, RequestOptions } from './connection.ts'
import type { JsonObject } from '../util/json.ts'

export type McpResource = {
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly size?: number | undefined
}
export type McpResourceTemplate = Omit<McpResource, 'uri' | 'size'> & { readonly uriTemplate: string }
/** A text, or bytes in base64. */
export type McpResourceContents = { readonly uri: string; readonly mimeType?: string | undefined } & (
  | { readonly text: string }
  | { readonly blob: string }
)
export type McpRequestOptions = { readonly signal?: AbortSignal | undefined }

/** What a server lets be read. Empty lists where it has none. */
export interface McpResources {
  list(options?: McpRequestOptions): Promise<readonly McpResource[]>
  templates(options?: McpRequestOptions): Promise<readonly McpResourceTemplate[]>
  read(uri: string, options?: McpRequestOptions): Promise<readonly McpResourceContents[]>
}

/** For requests that only read. */
export const reading = ({ signal }: McpRequestOptions = {}): RequestOptions => ({
  signal: signal ?? new AbortController().signal,
  repeatable: true,
})

export function resourcesOf(connection: Connection, timeout: number): McpResources {
  return {
    list: (options) =>
      connection.request(async ({ client }) => {
        if (!client.getServerCapabilities()?.resources) return []
        return plain<McpResource>((await client.listResources(undefined, { timeout, ...signalOf(options) })).resources)
      }, reading(options)),
    templates: (options) =>
      connection.request(async ({ client }) => {
        if (!client.getServerCapabilities()?.resources) return []
        return plain<McpResourceTemplate>(
          (await client.listResourceTemplates(undefined, { timeout, ...signalOf(options) })).resourceTemplates,
        )
      }, reading(options)),
    read: (uri, options) =>
      connection.request(
        async ({ client }) => plain<McpResourceContents>((await client.readResource({ uri }, { timeout, ...signalOf(options) })).contents),
        reading(options),
      ),
  }
}

export const signalOf = (options: McpRequestOptions = {}): { signal?: AbortSignal } => (options.signal ? { signal: options.signal } : {})

const plain = <T>(items: readonly unknown[]): readonly T[] => items as readonly (T & JsonObject)[]
