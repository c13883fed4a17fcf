import { toolNamePattern } from '../messages/normalise.ts'
import { foldToolName } from './fold-name.ts'

/** A tool's name for the model, and the one by which its server knows it. */
export type ForeignName = { readonly name: string; readonly original: string }

const maxLength = 64

/**
 * Legal names for tools that come from elsewhere (`^[a-zA-Z0-9_-]{1,64}$`), in the order given. A legal name stays as it is.
 * Of another each illegal character becomes `_`, and what is too long is cut. Where that would be a name that is taken, or
 * that models mix up with one that is, it ends in a short hash of the original instead. The result depends on the set of
 * names alone, not on their order: a server that lists its tools differently tomorrow has the same tools. The same original
 * given twice has the same name twice.
 *
 * @example foreignNames(['files.read', 'search']) // [{ name: 'files_read', original: 'files.read' }, { name: 'search', original: 'search' }]
 */
export function foreignNames(originals: readonly string[]): readonly ForeignName[] {
  const different = [...new Set(originals)]
  const taken = new Set(different.filter(isLegal).map(foldToolName))
  const wanted = new Map<string, number>()
  for (const original of different.filter((name) => !isLegal(name))) {
    const folded = foldToolName(legalised(original))
    wanted.set(folded, (wanted.get(folded) ?? 0) + 1)
  }
  const names = new Map<string, string>()
  // Sorted, because what a hash clashes with must not depend on the order either.
  for (const original of [...different].sort()) {
    if (isLegal(original)) {
      names.set(original, original)
      continue
    }
    const plain = legalised(original)
    const folded = foldToolName(plain)
    const isFree = !taken.has(folded) && wanted.get(folded) === 1 && [...plain].some((letter) => letter !== '_')
    const name = isFree ? plain : hashed(plain, original, (other) => taken.has(other) || wanted.has(other))
    taken.add(foldToolName(name))
    names.set(original, name)
  }
  return originals.map((original) => ({ name: names.get(original)!, original }))
}

const isLegal = (name: string): boolean => toolNamePattern.test(name)

/** One `_` for one character, even where that has two UTF-16 units. */
const legalised = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/gu, '_').slice(0, maxLength)

function hashed(plain: string, original: string, isTaken: (folded: string) => boolean): string {
  for (let salt = 0; ; salt++) {
    const end = `_${hashOf(salt === 0 ? original : `${original}#${salt}`)}`
    const name = plain.slice(0, maxLength - end.length) + end
    if (!isTaken(foldToolName(name))) return name
  }
}

/** FNV-1a, 32 bits: it need not be secret, only the same everywhere and always. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
