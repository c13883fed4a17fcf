import type { JsonObject } from '../../index.ts'

/** Of each line so much is compared: a tool may cut what it tells of long ones. */
const compared = 150

const changedLines = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => /^[+-]/.test(line)).map((line) => line.slice(0, compared))

/** The differences that a person has seen when they were asked, by the input of the call: what is known already is not shown again. */
export class SeenChanges {
  readonly #seen = new WeakMap<JsonObject, readonly string[]>()

  add(input: JsonObject, lines: readonly string[]): void {
    this.#seen.set(input, changedLines(lines))
  }

  /** Has this difference been seen? A tool may have changed something else than was shown. */
  has(input: JsonObject, lines: readonly string[]): boolean {
    const seen = this.#seen.get(input)
    return seen !== undefined && changedLines(lines).every((line, index) => line === seen[index])
  }
}
