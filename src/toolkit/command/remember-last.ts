/** Texts whose results are kept, and characters of them. */
const maxTexts = 32
const maxChars = 500_000

/**
 * A function of a text that remembers what it gave for the last texts: one command line is asked about several times, when it is called
 * and while it waits. The function must depend on nothing else, and nobody may change what it gives.
 */
export function rememberLast<T>(judge: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  let chars = 0
  return (text) => {
    if (known.has(text)) return known.get(text)!
    const found = judge(text)
    if (known.size >= maxTexts || chars + text.length > maxChars) {
      known.clear()
      chars = 0
    }
    known.set(text, found)
    chars += text.length
    return found
  }
}
