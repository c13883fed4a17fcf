const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** JSON in which half a surrogate pair is replaced: many servers refuse a whole request because of one. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\ud')
    ? JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? item.replaceAll(loneSurrogate, '\ufffd') : item))
    : text
}
