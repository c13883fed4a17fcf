/** One character of a pattern: itself, any one, any number of any, or one of a set. */
type Atom = string | typeof anyOne | typeof anyMany | CharSet
type CharSet = { readonly ranges: readonly (readonly [number, number])[]; readonly isNegated: boolean }
/** The part of a pattern between two slashes. */
type Segment = readonly Atom[] | typeof anyFolders

const anyOne = Symbol('?')
const anyMany = Symbol('*')
const anyFolders = Symbol('**')

/** Braces may stand beside each other: ten of `{a,b}` are 1,024 patterns. */
const maxAlternatives = 256
const maxLength = 4096

/**
 * Makes a matcher of a pattern for paths with `/`: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `[!a-z]`,
 * `{a,b}`, and `\` before a character that means itself. A leading dot is a character like any other.
 *
 * Nothing is tried twice: each star takes up what the one before it could not, so that the time is bounded by the length of the
 * pattern times that of the path, whatever the pattern is.
 *
 * @throws {Error} for a set or braces that do not end, and for too many alternatives.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > maxLength) throw new Error(`The pattern has ${pattern.length} characters; at most ${maxLength} are taken.`)
  const alternatives = expandBraces(pattern).map(segmentsOf)
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name))
    return alternatives.some((segments) => matchesPath(segments, names))
  }
}

function segmentsOf(pattern: string): readonly Segment[] {
  const segments: Segment[] = []
  for (const part of splitAt(pattern, '/')) {
    if (part !== '**') segments.push(atomsOf(part))
    // Two of them in a row mean what one means.
    else if (segments.at(-1) !== anyFolders) segments.push(anyFolders)
  }
  // `src/**` is what is in the folder, not the folder.
  if (segments.at(-1) === anyFolders) segments.push([anyMany])
  return segments
}

/** Two pointers: when a name does not fit, the last `**` takes one name more. */
function matchesPath(segments: readonly Segment[], names: readonly (readonly string[])[]): boolean {
  let segment = 0
  let name = 0
  let lastStar = -1
  let retryAt = 0
  while (name < names.length) {
    const wanted = segments[segment]
    if (wanted === anyFolders) {
      lastStar = segment++
      retryAt = name
    } else if (wanted !== undefined && matchesName(wanted, names[name]!)) {
      segment++
      name++
    } else if (lastStar >= 0) {
      segment = lastStar + 1
      name = ++retryAt
    } else return false
  }
  return segment === segments.length
}

function matchesName(atoms: readonly Atom[], name: readonly string[]): boolean {
  let atom = 0
  let at = 0
  let lastStar = -1
  let retryAt = 0
  while (at < name.length) {
    const wanted = atoms[atom]
    if (wanted === anyMany) {
      lastStar = atom++
      retryAt = at
    } else if (wanted !== undefined && matchesChar(wanted, name[at]!)) {
      atom++
      at++
    } else if (lastStar >= 0) {
      atom = lastStar + 1
      at = ++retryAt
    } else return false
  }
  while (atoms[atom] === anyMany) atom++
  return atom === atoms.length
}

function matchesChar(atom: Exclude<Atom, typeof anyMany>, char: string): boolean {
  if (atom === anyOne) return true
  if (typeof atom === 'string') return atom === char
  const code = char.codePointAt(0)!
  return atom.ranges.some(([from, to]) => code >= from && code <= to) !== atom.isNegated
}

function atomsOf(segment: string): readonly Atom[] {
  const chars = Array.from(segment)
  const atoms: Atom[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!
    if (char === '*') {
      if (atoms.at(-1) !== anyMany) atoms.push(anyMany)
    } else if (char === '?') atoms.push(anyOne)
    else if (char === '\\' && at + 1 < chars.length) atoms.push(chars[++at]!)
    else if (char === '[') {
      const { set, end } = charSet(chars, at)
      atoms.push(set)
      at = end
    } else atoms.push(char)
  }
  return atoms
}

function charSet(chars: readonly string[], start: number): { readonly set: CharSet; readonly end: number } {
  let at = start + 1
  const isNegated = chars[at] === '!' || chars[at] === '^'
  if (isNegated) at++
  const ranges: (readonly [number, number])[] = []
  // A bracket that comes first stands for itself.
  for (const first = at; at < chars.length && (chars[at] !== ']' || at === first); at++) {
    if (chars[at] === '\\' && at + 1 < chars.length) at++
    const from = chars[at]!.codePointAt(0)!
    if (chars[at + 1] !== '-' || chars[at + 2] === undefined || chars[at + 2] === ']') {
      ranges.push([from, from])
      continue
    }
    at += chars[at + 2] === '\\' && at + 3 < chars.length ? 3 : 2
    ranges.push([from, chars[at]!.codePointAt(0)!])
  }
  if (at >= chars.length)
    throw new Error(`The "[" of the pattern ${JSON.stringify(chars.join(''))} has no "]". Write \\[ for the character.`)
  return { set: { ranges, isNegated }, end: at }
}

/** `{a,b}` as several patterns without braces. */
function expandBraces(pattern: string): readonly string[] {
  const start = indexOutside(pattern, (char) => char === '{')
  if (start < 0) return [pattern]
  const close = closingBrace(pattern, start)
  if (close < 0) throw new Error(`The "{" of the pattern ${JSON.stringify(pattern)} has no "}". Write \\{ for the character.`)
  const rest = expandBraces(pattern.slice(close + 1))
  const expanded: string[] = []
  for (const option of splitAt(pattern.slice(start + 1, close), ',').flatMap(expandBraces)) {
    for (const end of rest) {
      if (expanded.push(pattern.slice(0, start) + option + end) > maxAlternatives)
        throw new Error(`The braces of the pattern stand for more than ${maxAlternatives} alternatives. Give fewer of them in one call.`)
    }
  }
  return expanded
}

function closingBrace(pattern: string, start: number): number {
  let depth = 0
  return indexOutside(
    pattern,
    (char) => {
      if (char === '{') depth++
      return char === '}' && --depth === 0
    },
    start,
  )
}

/** Splits where the character stands for itself and not in braces. */
function splitAt(pattern: string, separator: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  for (let from = 0; ;) {
    const at = indexOutside(
      pattern,
      (char) => {
        if (char === '{') depth++
        else if (char === '}') depth--
        return char === separator && depth === 0
      },
      from,
    )
    parts.push(pattern.slice(from, at < 0 ? undefined : at))
    if (at < 0) return parts
    from = at + 1
  }
}

/** The first character that fits, of those that are neither behind a `\` nor in a set. */
function indexOutside(pattern: string, fits: (char: string) => boolean, from = 0): number {
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '\\') at++
    else if (char === '[') at = endOfSet(pattern, at)
    else if (fits(char)) return at
  }
  return -1
}

function endOfSet(pattern: string, start: number): number {
  let at = start + 1
  if (pattern[at] === '!' || pattern[at] === '^') at++
  for (const first = at; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === ']' && at > first) return at
  }
  // It does not end, which is said where it is read.
  return start
}
