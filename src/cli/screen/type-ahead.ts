import type { Key } from './keys.ts'

/** What is typed ahead is kept up to this. */
const most = 64 * 1024

/** Keys that nobody has read yet, in their order. */
export class TypeAhead {
  #keys: Key[] = []
  #size = 0

  keep(keys: readonly Key[]): void {
    for (const key of keys) {
      this.#size += key.text?.length ?? 1
      if (this.#size <= most) this.#keys.push(key)
    }
  }

  forget(): void {
    this.#keys = []
    this.#size = 0
  }

  /** All of them; none is left. */
  take(): readonly Key[] {
    const keys = this.#keys
    this.forget()
    return keys
  }
}
