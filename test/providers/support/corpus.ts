import { existsSync, readFileSync } from 'node:fs'

export type Expected = {
  readonly text: string
  readonly reasoning: string
  readonly refusal?: string
  readonly tool_calls: readonly {
    readonly id: string | null
    readonly name: string
    readonly input: unknown
    readonly input_raw?: string
    readonly input_error?: string
  }[]
  readonly stop_class: string | null
  readonly usage: {
    readonly input?: number
    readonly output?: number
    readonly total?: number
    readonly cache_read?: number
    readonly cache_write?: number
    readonly reasoning?: number
  } | null
  readonly complete: boolean
  readonly error?: { readonly message: string }
  readonly citations?: number
}
export type CorpusStream = {
  readonly id: string
  readonly file: string
  readonly api: string
  readonly framing: string
  readonly utf8_split_offsets?: readonly number[]
  readonly expected: Expected
}

const beside = new URL('../../../../shared/corpora/streams/', import.meta.url)
export const corpusIsThere = existsSync(new URL('index.json', beside))

/** The streams of one API; none when the corpora are not beside the project. */
export function corpusStreams(api: string): readonly CorpusStream[] {
  if (!corpusIsThere) return []
  return (JSON.parse(readFileSync(new URL('index.json', beside), 'utf8')) as CorpusStream[]).filter((stream) => stream.api === api)
}

export const corpusBytes = (stream: CorpusStream): Uint8Array => readFileSync(new URL(stream.file, beside))
