import type { ConverseStreamCommandInput, ConverseStreamCommandOutput } from '@aws-sdk/client-bedrock-runtime'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { systemClock } from '../../util/clock.ts'
import { createClient, credentialOf } from './client.ts'
import { ConverseCall } from './converse-call.ts'
import { ConverseEvents } from './converse-events.ts'
import { ConverseHead } from './converse-request.ts'
import type { Family } from './families.ts'
import { familyOf } from './families.ts'
import { lastTurn } from './last-turn.ts'
import { MessageWriter } from './messages.ts'
import { checkOptions, defaultTimeoutMs, providerName } from './options.ts'
import type { BedrockOptions } from './options.ts'
import type { LoadSdk, Sdk } from './sdk.ts'
import { importSdk, loadSdk } from './sdk.ts'

type Client = NonNullable<BedrockOptions['client']>

/** ConverseStream through the SDK of AWS. One object serves any number of conversations at once. */
export class ConverseModel implements Model {
  readonly provider = providerName
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: BedrockOptions
  readonly #load: LoadSdk
  readonly #family: Family
  readonly #head: ConverseHead
  readonly #messages: MessageWriter
  #client: Promise<Client> | undefined

  /** @param load how the SDK is loaded, when it is first used. */
  constructor(id: string, options: BedrockOptions, load: LoadSdk = importSdk) {
    checkOptions(id, options)
    const family = familyOf(options.baseModel ?? id)
    this.id = id
    this.abilities = {
      output: family.bindsOutput ? 'native' : family.forced === 'nothing' ? 'prompt' : 'forced_tool',
      images: true,
      documents: true,
    }
    this.contextWindow = options.contextWindow ?? family.contextWindow
    this.#options = options
    this.#load = load
    this.#family = family
    this.#head = new ConverseHead(id, options, family)
    this.#messages = new MessageWriter(family)
  }

  async *stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock, guardrail } = this.#options
    const call = new ConverseCall({ signal, clock, headersTimeoutMs, idleTimeoutMs, credential: credentialOf(this.#options) })
    try {
      const responseId = await call.open((abortSignal) => this.#send(request, abortSignal))
      const answer = new ConverseEvents({ maker: this.#family.maker, guardrail, raw, responseId })
      const { events } = answer
      while (!answer.done) {
        const chunk = await call.next()
        if (!chunk) return
        let failure: Error | undefined
        try {
          answer.read(chunk)
        } catch (error) {
          failure = call.errorOf(error)
        }
        for (const event of events) {
          if (call.failure) throw call.failure
          yield event
        }
        events.length = 0
        // What came before an error is still told.
        if (failure) throw failure
      }
      await call.finish()
    } finally {
      call.close()
    }
  }

  async #send(request: ModelRequest, abortSignal: AbortSignal): Promise<ConverseStreamCommandOutput> {
    const input = this.#input(request)
    const sdk = await loadSdk(this.#load)
    const client = await this.#clientOf(sdk)
    return client.send(new sdk.ConverseStreamCommand(input), { abortSignal })
  }

  #input(request: ModelRequest): ConverseStreamCommandInput {
    const { input, room, goesOn } = this.#head.of(request)
    return { ...input, messages: lastTurn(this.#messages.write(request.messages, room), goesOn) }
  }

  /** Made once: it keeps the connections and the credentials. One that could not be made is made again. */
  #clientOf(sdk: Sdk): Promise<Client> {
    const { client } = this.#options
    if (client) return Promise.resolve(client)
    this.#client ??= createClient(sdk, this.id, this.#options).catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }
}
