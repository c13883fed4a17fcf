import { InputError } from '../../errors.ts'
import { describe } from '../../messages/stored.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { systemClock } from '../../util/clock.ts'
import { isObject } from '../../util/json.ts'
import { callOptions } from './call-options.ts'
import type { AiSdkOptions } from './options.ts'
import { defaultTimeoutMs } from './options.ts'
import { PartEvents } from './part-events.ts'
import { PartStream } from './part-stream.ts'
import { sdkError } from './sdk-error.ts'
import type { AiSdkLanguageModel, SupportedUrls } from './spec.ts'

/** Providers whose results of tools may hold pictures and documents. */
const takesMediaInResults = /^(anthropic|amazon-bedrock|bedrock|google|vertex|gateway)\b|^(openai|azure)\b.*\.responses$/

/** An AI SDK model behind our port. One object serves any number of conversations at once. */
export class AdaptedModel implements Model {
  readonly provider: string
  readonly id: string
  readonly abilities: Partial<ModelAbilities>
  readonly contextWindow: number | undefined
  readonly #model: AiSdkLanguageModel
  readonly #options: AiSdkOptions

  constructor(model: AiSdkLanguageModel, options: AiSdkOptions) {
    checkModel(model)
    this.provider = options.provider ?? `ai-sdk.${model.provider}`
    this.id = model.modelId
    this.abilities = { output: isBindable(model) ? 'native' : 'forced_tool', images: true, documents: true, ...options.abilities }
    this.contextWindow = options.contextWindow
    this.#model = model
    this.#options = options
  }

  async *stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock, toolInput } = this.#options
    const { provider } = this
    const now = (): number => clock.now()
    const call = new PartStream({
      provider,
      signal,
      clock,
      headersTimeoutMs,
      idleTimeoutMs,
      opening: (thrown) => sdkError(thrown, { provider, when: 'opening', now }),
      reading: (thrown) => sdkError(thrown, { provider, when: 'reading', now }),
    })
    try {
      await call.open(async (abortSignal) => {
        const options = await this.#callOptions(request)
        abortSignal.throwIfAborted()
        return await this.#model.doStream({ ...options, ...(raw && { includeRawChunks: true }), abortSignal } as never)
      })
      const toolNames = new Set(request.tools.map(({ name }) => name))
      const answer = new PartEvents({ provider, toolNames, holdsInput: toolInput === 'whole', raw, now })
      const { events } = answer
      while (!answer.done) {
        const { done, part } = await call.read()
        if (done) return
        let failure: unknown
        // What came before an error is still told.
        try {
          answer.read(part)
        } catch (error) {
          failure = error
        }
        for (const event of events) {
          if (call.failure) throw call.failure
          yield event
        }
        events.length = 0
        if (failure !== undefined) throw failure
      }
      await call.finish()
    } finally {
      call.close()
    }
  }

  async #callOptions(request: ModelRequest): Promise<Record<string, unknown>> {
    const { provider, specificationVersion: version } = this.#model
    const { mediaInResults: inResults = takesMediaInResults.test(provider) } = this.#options
    const supportedUrls: SupportedUrls = (await this.#model.supportedUrls) ?? {}
    return callOptions(request, this.#options, { version, provider: this.provider, inResults, supportedUrls })
  }
}

function checkModel(model: unknown): void {
  const isWhole =
    isObject(model) &&
    typeof model['doStream'] === 'function' &&
    typeof model['provider'] === 'string' &&
    typeof model['modelId'] === 'string'
  const expected = 'aiSdk(): expected a language model of the AI SDK, such as mistral("mistral-large-latest") of @ai-sdk/mistral'
  if (!isWhole) throw new InputError(`${expected}, got ${describe(model)}.`)
  const version = model['specificationVersion']
  if (version === 'v4' || version === 'v3') return
  throw new InputError(
    `${expected}, of the specification "v4" or "v3"; got one of ${describe(version)}. Update the package of ${String(model['provider'])}.`,
  )
}

/** Some say that they take no schema. */
const isBindable = (model: AiSdkLanguageModel): boolean =>
  (model as { readonly supportsStructuredOutputs?: unknown }).supportsStructuredOutputs !== false
