import type { CorpusStream } from './corpus.ts'
import { corpusBytes } from './corpus.ts'
import type { Cutter } from './recut.ts'
import { at, randomPieces, singleBytes, whole } from './recut.ts'

export type Cutting = {
  readonly name: string
  readonly cut: (stream: CorpusStream) => Cutter
  /** Not for those of which it shows nothing more. */
  readonly isFor: (stream: CorpusStream) => boolean
}

/** The longest streams are four fifths of all bytes, of the same events as the others: byte by byte they come in the long run (`EVERY_CUT`). */
const isShort = (stream: CorpusStream): boolean => process.env['EVERY_CUT'] !== undefined || corpusBytes(stream).length <= 20_000

/** How a recorded stream is cut into pieces. */
export const cuttings: readonly Cutting[] = [
  { name: 'whole', cut: () => whole, isFor: () => true },
  { name: 'in single bytes', cut: () => singleBytes, isFor: isShort },
  { name: 'in random pieces', cut: () => randomPieces(7), isFor: () => true },
  {
    name: 'cut inside characters',
    cut: ({ utf8_split_offsets = [] }) => at(utf8_split_offsets),
    isFor: ({ utf8_split_offsets = [] }) => utf8_split_offsets.length > 0,
  },
]
