import type { ModelError } from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { jsonOr } from './http-error.ts'
import type { ErrorSource } from './provider-error.ts'
import { providerError } from './provider-error.ts'

/**
 * Tells a document from a stream of events by how it begins: like JSON or a page, as no line of events does. White space and a
 * byte order mark may stand before. The content type is of no help: some servers name a wrong one.
 */
export class DocumentSniffer {
  #decided = false

  /** Do these first bytes begin a document? Asked of each piece until one says something. */
  isDocument(bytes: Uint8Array): boolean {
    if (this.#decided) return false
    const first = bytes.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte))
    if (first === undefined) return false
    this.#decided = true
    return first === 0x7b || first === 0x5b || first === 0x3c
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * The error that a server writes between its events as it is, in a line that belongs to none: as plain JSON, or in a field
 * called `error`.
 */
export function strayError(line: string, source: ErrorSource): ModelError | undefined {
  const named = /^error: ?(.*)$/s.exec(line)?.[1]
  const said = jsonOr(named ?? line)
  if (named !== undefined) return providerError(said, source)
  return isObject(said) && said['error'] ? providerError(said, source) : undefined
}
