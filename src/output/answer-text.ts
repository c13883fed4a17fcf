/**
 * The answer in a text: all of it, or what stands in a code fence, or from its first bracket to its last. `undefined` when none is JSON.
 */
export function answerIn(said: string): { readonly value: unknown } | undefined {
  const text = withoutThoughts(said)
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```/.exec(text)?.[1]
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const from = (first: number): string | undefined => (first >= 0 && last > first ? text.slice(first, last + 1) : undefined)
  // A bracket in front of an object may belong to what is said beside it, such as a reference.
  for (const candidate of [text, fenced, from(text.search(/[{[]/)), from(text.indexOf('{'))]) {
    if (candidate === undefined) continue
    try {
      return { value: JSON.parse(candidate) as unknown }
    } catch {
      // The next way to read it.
    }
  }
  return undefined
}

const opening = '<think>'
const closing = '</think>'

/** What some local servers leave in a text of what the model thought, at its beginning, is no answer; nor is it one while it lasts. */
export function withoutThoughts(text: string): string {
  if (!text.trimStart().startsWith(opening)) return text
  const end = text.indexOf(closing)
  return end < 0 ? '' : text.slice(end + closing.length)
}
