/** A JSON Schema as a plain object. */
export type JsonSchema = { readonly [key: string]: unknown }

/** The parts of a JSON pointer: `#/a/b~1c` is `a`, `b/c`. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
