/** The lengths of the pieces into which the bytes of an answer are cut. */
export type Cutter = (bytes: Uint8Array) => readonly number[]

export const whole: Cutter = (bytes) => [bytes.length]
export const singleBytes: Cutter = (bytes) => new Array<number>(bytes.length).fill(1)
export const at =
  (offsets: readonly number[]): Cutter =>
  (bytes) => {
    const ends = [...offsets, bytes.length]
    return ends.map((end, index) => end - (ends[index - 1] ?? 0)).filter((length) => length > 0)
  }

/** Pieces of 1 to 300 bytes, the same ones each time. */
export const randomPieces =
  (seed: number): Cutter =>
  (bytes) => {
    const lengths: number[] = []
    let state = seed
    for (let left = bytes.length; left > 0;) {
      state = (state * 1103515245 + 12345) % 2147483648
      const length = Math.min(left, 1 + (state % 300))
      lengths.push(length)
      left -= length
    }
    return lengths
  }

/** A `fetch` whose answers come in these pieces, however the network delivered them. */
export function recut(cut: Cutter): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const lengths = cut(bytes)
    let piece = 0
    let from = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const length = lengths[piece++]
        if (length === undefined) return controller.close()
        controller.enqueue(bytes.slice(from, from + length))
        from += length
      },
    })
    return new Response(body, response)
  }
}
