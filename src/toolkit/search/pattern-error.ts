/** The pattern of a search cannot be used. */
export class PatternError extends Error {
  constructor(reason: string) {
    super(`The pattern cannot be used: ${reason}. To search for the text as it is, set literal=true.`)
  }
}
