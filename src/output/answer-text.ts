/** The answer in a text: all of it, or what stands in a code fence, or from its first bracket to its last. `undefined` when none is JSON. */
export function answerIn(text: string): { readonly value: unknown } | undefined {
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```/.exec(text)?.[1]
  const first = text.search(/[{[]/)
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const within = first >= 0 && last > first ? text.slice(first, last + 1) : undefined
  for (const candidate of [text, fenced, within]) {
    if (candidate === undefined) continue
    try {
      return { value: JSON.parse(candidate) as unknown }
    } catch {
      // The next way to read it.
    }
  }
  return undefined
}
