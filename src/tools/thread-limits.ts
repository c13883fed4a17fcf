/** What one thread may use, as Node's worker threads have it; said here, so that the types need none of Node's. */
export type ThreadLimits = {
  /** Megabytes. */
  readonly maxYoungGenerationSizeMb?: number | undefined
  readonly maxOldGenerationSizeMb?: number | undefined
  readonly codeRangeSizeMb?: number | undefined
  readonly stackSizeMb?: number | undefined
}
