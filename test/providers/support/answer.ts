import type { AssembledMessage } from '../../../src/models/assemble.ts'
import { Assembler } from '../../../src/models/assemble.ts'
import type { Model, ModelRequest } from '../../../src/models/model.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { countingIds } from '../../support/ids.ts'

/** A request that says hello. */
export const request = (parts: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [],
  messages: freezeOwn([{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]),
  tools: [],
  toolChoice: 'auto',
  settings: {},
  ...parts,
})

export type Answer = {
  readonly message: AssembledMessage | undefined
  readonly error: unknown
  readonly partialText: string
  readonly events: readonly ModelEvent[]
}

/** One answer of the model, as the loop would take it: through the assembler. */
export async function answer(
  model: Model,
  asked: ModelRequest = request(),
  options: { readonly signal?: AbortSignal; readonly raw?: boolean } = {},
): Promise<Answer> {
  const assembler = new Assembler({
    messageId: 'm',
    provider: model.provider,
    ids: countingIds(),
    base: { invocationId: 'inv', turn: 1 },
    now: () => 0,
  })
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(asked, { signal: new AbortController().signal, ...options })) {
      events.push(event)
      await assembler.push(event)
    }
    return { message: await assembler.finish(), error: undefined, partialText: assembler.text, events }
  } catch (error) {
    return { message: undefined, error, partialText: assembler.text, events }
  }
}

/** What it throws; nothing else will do. */
export async function errorOf(model: Model, asked?: ModelRequest): Promise<Error> {
  const { error } = await answer(model, asked)
  if (!(error instanceof Error)) throw new Error(`expected an error, got ${JSON.stringify(error)}`)
  return error
}
