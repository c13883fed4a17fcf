const newline = 10

/**
 * Cuts a stream of bytes into lines. The cost is linear in the bytes, whatever the size of a line and of the pieces it comes in.
 *
 * @throws {RangeError} from the function that comes back, when a line is longer than `maxBytes`.
 */
export function lineSplitter(maxBytes: number, onLine: (line: string) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at)
      const line = (pieces.length === 0 ? end : Buffer.concat([...pieces, end])).toString('utf8')
      pieces = []
      held = 0
      from = at + 1
      onLine(line)
    }
    if (from === chunk.length) return
    const rest = chunk.subarray(from)
    held += rest.length
    if (held > maxBytes) {
      pieces = []
      throw new RangeError(`a line is longer than ${maxBytes} bytes`)
    }
    pieces.push(rest)
  }
}
