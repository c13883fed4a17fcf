import type { JsonValue } from '../../util/json.ts'
import { recordError, reviveError } from './recorded-error.ts'
import type { Tape } from './tape.ts'

export type Effect = <T extends JsonValue>(name: string, run: () => T | Promise<T>) => Promise<T>

/** Anything else of the outside: what it gives, or throws, is written down or given again. */
export function effects(tape: Tape): Effect {
  let count = 0
  return async <T extends JsonValue>(name: string, run: () => T | Promise<T>): Promise<T> => {
    const { effect } = tape.mark({ type: 'effect_start', effect: ++count, name })
    if (tape.mode === 'replay') {
      const input = await tape.take(`effect ${effect}`)
      if (input.type !== 'effect_end') throw new TypeError(`the cassette has ${input.type} for an effect`)
      if (input.error) throw reviveError(input.error)
      return input.value as T
    }
    let value: T
    try {
      value = await run()
    } catch (error) {
      await tape.input({ type: 'effect_end', effect, error: recordError(error) })
      throw error
    }
    await tape.input({ type: 'effect_end', effect, value })
    return value
  }
}
