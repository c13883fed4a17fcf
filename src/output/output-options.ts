import type { InferOutput, Schema } from '../tools/standard-schema.ts'

/** How an answer is asked for that has a shape. */
export type OutputOptions<S = Schema> = {
  readonly schema: S
  /** Names the answer, and the tool that it is given by. Default `final_answer`. */
  readonly name?: string | undefined
  /** How often the model may answer before it is given up. Default 3. */
  readonly attempts?: number | undefined
  /** What a model is told that has ended its turn without the answer. */
  readonly prompt?: string | undefined
  /**
   * `native`: the provider holds the model to the schema. `tool`: the answer is the call of a tool. `prompt`: it is asked for in
   * words. Default `auto`: what the model can.
   */
  readonly mode?: 'auto' | 'native' | 'tool' | 'prompt' | undefined
}

/** The type of the answer. */
export type OutputOf<S> = [S] extends [undefined] ? undefined : InferOutput<S>
