import { aBound } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'

/** A change of a file by a tool. */
export type Change = {
  /** Later changes have greater ids. */
  readonly id: string
  /** Of the file, absolute, links resolved. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Mode of the file before, and its size in bytes; `undefined` when there was none. */
  readonly before: { readonly mode: number; readonly bytes: number } | undefined
  /** SHA-256 of what was written. */
  readonly writtenHash: string
}

export type NewChange = {
  readonly path: string
  readonly before: { readonly mode: number; readonly content: Uint8Array } | undefined
  readonly writtenHash: string
}

/** Where the old content of files is kept that tools overwrite. */
export interface UndoLog {
  /**
   * Called before a file is written.
   *
   * @returns the id of the change; `undefined` when the content is too large to be kept.
   */
  keep(change: NewChange): Promise<string | undefined>
  /** The write failed, or was undone. */
  forget(id: string): Promise<void>
  /** The oldest first. */
  changes(): Promise<readonly Change[]>
  /** What was in the file before. `undefined` when there was no file, or the change is not known any more. */
  contentOf(id: string): Promise<Uint8Array | undefined>
}

export type UndoBounds = {
  /** Of one file, in bytes. Default: 16 MiB. */
  readonly maxFileBytes?: number | undefined
  /** Of all that is kept, in bytes; the oldest changes go first. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
  /** Default: 1,000. */
  readonly maxChanges?: number | undefined
}

/** @throws {InputError} for a bound that cannot be meant. */
export const boundRules: RulesOf<UndoBounds> = { maxFileBytes: aBound, maxBytes: aBound, maxChanges: aBound }

export function boundsOf(bounds: UndoBounds): Required<{ readonly [K in keyof UndoBounds]: number }> {
  const { maxFileBytes = 16 * 1024 * 1024, maxBytes = 64 * 1024 * 1024, maxChanges = 1000 } = bounds
  return { maxFileBytes, maxBytes, maxChanges }
}

/** Which of the oldest changes have to go so that the rest is within the bounds. */
export function surplusOf(
  changes: readonly Change[],
  { maxBytes, maxChanges }: { readonly maxBytes: number; readonly maxChanges: number },
): readonly Change[] {
  let bytes = 0
  let kept = 0
  for (let index = changes.length - 1; index >= 0; index--) {
    bytes += changes[index]!.before?.bytes ?? 0
    if (bytes > maxBytes || ++kept > maxChanges) return changes.slice(0, index + 1)
  }
  return []
}
