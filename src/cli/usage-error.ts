/** The command line cannot be understood or done. The message says what was expected, what came, and what to do. */
export class UsageError extends Error {
  readonly code = 'usage'

  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
