import { AgentError } from '../../errors.ts'
import type { JsonValue } from '../../util/json.ts'

export type CassetteErrorOptions = {
  /** `cassette_mismatch`: the replay parts from the recording. `cassette_unused`: it ended before it. `cassette_invalid`: it is none. */
  readonly code: 'cassette_mismatch' | 'cassette_unused' | 'cassette_invalid'
  readonly step?: string | undefined
  readonly path?: string | undefined
  readonly expected?: JsonValue | undefined
  readonly got?: JsonValue | undefined
}

/** A replay is not what was recorded, or what should be a cassette is none. */
export class CassetteError extends AgentError {
  /** Where they part, such as `model call 2`. */
  readonly step: string | undefined
  /** What of the step is not the same, such as `messages[2].content[0].text`. */
  readonly path: string | undefined
  /** What the recording has there; `null` is nothing. */
  readonly expected: JsonValue | undefined
  /** What came instead; `null` is nothing. */
  readonly got: JsonValue | undefined

  constructor(message: string, { code, step, path, expected, got }: CassetteErrorOptions) {
    super(message, { code })
    this.step = step
    this.path = path
    this.expected = expected
    this.got = got
  }
}
