import type { Citation } from '../../messages/content.ts'

type Source = {
  readonly uri?: string | null
  readonly title?: string | null
  readonly text?: string | null
  readonly sourceUri?: string | null
}

/** What the answer rests on: sources, and which part of the text rests on which. */
export type Grounding = {
  readonly groundingChunks?:
    | readonly {
        readonly web?: Source | null
        readonly retrievedContext?: Source | null
        readonly maps?: Source | null
        readonly image?: Source | null
      }[]
    | null
  readonly groundingSupports?:
    | readonly { readonly segment?: Segment | null; readonly groundingChunkIndices?: readonly number[] | null }[]
    | null
}

/** Places are counted in bytes of UTF-8. */
type Segment = {
  readonly startIndex?: number | null | undefined
  readonly endIndex?: number | null | undefined
  readonly text?: string | null | undefined
}

/** Texts that the answer shares with a source, as the API recognises them. */
export type Recited = {
  readonly citations?: readonly RecitedSource[] | null
  readonly citationSources?: readonly RecitedSource[] | null
}
type RecitedSource = {
  readonly startIndex?: number | null
  readonly endIndex?: number | null
  readonly uri?: string | null
  readonly title?: string | null
}

/**
 * The sources of an answer as citations of its text: one for each part and source, or, where no part is named, one for
 * each source. The places are those in the text, as characters; they are left out where the text does not bear them out.
 */
export function groundedCitations({ groundingChunks: sources, groundingSupports: supports }: Grounding, text: string): readonly Citation[] {
  const cited = (sources ?? []).map((source) => sourceOf(source.web ?? source.retrievedContext ?? source.maps ?? source.image ?? {}))
  if (!supports?.length) return cited.filter((citation) => Object.keys(citation).length > 0)
  return supports.flatMap(({ segment, groundingChunkIndices }) => {
    const place = segment ? placeOf(segment, text) : {}
    return (groundingChunkIndices ?? []).flatMap((index) => (cited[index] ? [{ ...cited[index], ...place }] : []))
  })
}

export function recitedCitations({ citations, citationSources }: Recited, text: string): readonly Citation[] {
  return (citations ?? citationSources ?? []).map(({ startIndex, endIndex, ...source }) => ({
    ...sourceOf(source),
    ...placeOf({ startIndex, endIndex }, text),
  }))
}

function sourceOf({ uri, sourceUri, title, text }: Source): Citation {
  const url = sourceUri ?? uri
  return { ...(title && { title }), ...(url && { url }), ...(text && { quote: text }) }
}

function placeOf({ startIndex, endIndex, text: said }: Segment, text: string): { readonly start: number; readonly end: number } | object {
  const start = characters(text, startIndex ?? 0)
  if (!said) return start !== undefined && typeof endIndex === 'number' ? placed(start, characters(text, endIndex)) : {}
  if (start !== undefined && text.startsWith(said, start)) return { start, end: start + said.length }
  // Counted from somewhere else, or cut to whole words.
  const found = text.indexOf(said)
  return found < 0 ? {} : { start: found, end: found + said.length }
}

const placed = (start: number, end: number | undefined): object => (end === undefined ? {} : { start, end })

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** How many characters so many bytes are; nothing when the text has fewer. */
function characters(text: string, bytes: number): number | undefined {
  const encoded = encoder.encode(text)
  return bytes <= encoded.length ? decoder.decode(encoded.subarray(0, bytes)).length : undefined
}
