/** Which properties and items of one value keywords have looked at. */
export class Seen {
  readonly #names = new Set<string>()
  readonly #indexes = new Set<number>()
  #allNames = false
  #allItems = false

  addName(name: string): void {
    this.#names.add(name)
  }

  addIndex(index: number): void {
    this.#indexes.add(index)
  }

  addAllNames(): void {
    this.#allNames = true
  }

  addAllItems(): void {
    this.#allItems = true
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name)
  }

  hasIndex(index: number): boolean {
    return this.#allItems || this.#indexes.has(index)
  }

  addAll(other: Seen): void {
    this.#allNames ||= other.#allNames
    this.#allItems ||= other.#allItems
    for (const name of other.#names) this.#names.add(name)
    for (const index of other.#indexes) this.#indexes.add(index)
  }
}
