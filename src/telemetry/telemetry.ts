import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import type { Plugin } from '../hooks/hooks.ts'
import { InputError } from '../errors.ts'
import type { PriceTable } from '../models/catalogue/prices.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import type { ContentFilter } from './contents.ts'
import { Contents } from './contents.ts'
import type { Conventions } from './conventions.ts'
import { conventionsKnown } from './conventions.ts'
import { priceLookUp } from './observation.ts'
import { Observer } from './observer.ts'
import { OpenTelemetryRecorder } from './open-telemetry.ts'
import { loadApi } from './peer.ts'
import { withinTime } from './within-time.ts'

export type TelemetryOptions = {
  /**
   * Keep prompts, answers, inputs and results of tools as attributes of the spans. A function may change what is kept, or leave it out by giving
   * `undefined`. Default: false, unless `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, `SPAN_ONLY` or `SPAN_AND_EVENT`.
   */
  readonly content?: boolean | ContentFilter | undefined
  /** Of one content. What is longer is cut, and of a history the newest messages are kept. Default 16,384. */
  readonly maxContentChars?: number | undefined
  /**
   * Whose names are used. Default: `core_1_45`, and `genai_0_1` where `OTEL_SEMCONV_STABILITY_OPT_IN` has `gen_ai_latest_experimental`.
   */
  readonly conventions?: Conventions | undefined
  /** Default: the one that is registered with the API. */
  readonly tracerProvider?: TracerProvider | undefined
  /** Default: the one that is registered with the API. */
  readonly meterProvider?: MeterProvider | undefined
  /** Wait at the end of each run until the providers have handed over what they hold back, at most this long, in milliseconds. Default: not at all. */
  readonly flushMs?: number | undefined
  /** Prices that go before those that are built in, for `lena.cost_usd`. */
  readonly prices?: PriceTable | undefined
}

const known = ['content', 'maxContentChars', 'conventions', 'tracerProvider', 'meterProvider', 'flushMs', 'prices']

/**
 * Tells OpenTelemetry of each run: a span `invoke_agent {name}`, and in it `chat {model}` for each attempt at a model and `execute_tool {tool}` for
 * each call, with token counts and errors; and the measurements of the conventions for generative AI. Inside a tool its span is the active one.
 *
 * Needs the package `@opentelemetry/api`. Without a registered provider nothing is made and next to nothing is done. A sub-agent is seen
 * when it has the plug-in too; one plug-in may serve several agents.
 *
 * @throws {InputError} for options that cannot be meant.
 */
export function telemetry(options: TelemetryOptions = {}): Plugin {
  checkOptions(options)
  const { flushMs, prices, tracerProvider, meterProvider } = options
  const conventions = options.conventions ?? conventionsOf(environment('OTEL_SEMCONV_STABILITY_OPT_IN'))
  const contents = contentsOf(options)
  let recorder: OpenTelemetryRecorder | undefined
  let observer: Observer | undefined
  return {
    name: 'telemetry',
    async setup(agent) {
      const api = await loadApi()
      recorder ??= new OpenTelemetryRecorder({ api, tracerProvider, meterProvider, conventions })
      const onError = (error: unknown): void => api.diag.error('lena-agent: telemetry failed', error)
      observer ??= new Observer(recorder, { conventions, contents, pricesOf: priceLookUp(prices) }, onError)
      observer.install(agent)
    },
    async flush({ signal }) {
      observer?.leave(signal)
      if (flushMs !== undefined && recorder?.isOn()) await withinTime(recorder.forceFlush(), flushMs)
    },
  }
}

/** The contents to keep, by the option, else by the variable. */
function contentsOf({ content, maxContentChars = 16_384 }: TelemetryOptions): Contents | undefined {
  const wanted = content ?? ['true', 'span_only', 'span_and_event'].includes(captured())
  return wanted ? new Contents(typeof wanted === 'function' ? wanted : undefined, maxContentChars) : undefined
}

const captured = (): string => (environment('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') ?? '').toLowerCase()

const conventionsOf = (optIn: string | undefined): Conventions =>
  (optIn ?? '').split(',').some((part) => part.trim() === 'gen_ai_latest_experimental') ? 'genai_0_1' : 'core_1_45'

/** A browser has none. */
const environment = (name: string): string | undefined => (typeof process === 'undefined' ? undefined : process.env[name])

function checkOptions(options: TelemetryOptions): void {
  if (!isObject(options)) throw new InputError(`telemetry() takes an object of options, got ${typeof options}.`)
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new InputError(`There is no option "${key}" of telemetry().${didYouMean(key, known)} Known: ${known.join(', ')}.`)
  const { content, conventions, maxContentChars, flushMs } = options
  if (content !== undefined && typeof content !== 'boolean' && typeof content !== 'function')
    throw new InputError(`\`content\` must be true, false or a function (name, content) => content, got ${typeof content}.`)
  if (conventions !== undefined && !conventionsKnown.includes(conventions))
    throw new InputError(`\`conventions\` must be ${conventionsKnown.join(' or ')}, got ${JSON.stringify(conventions)}.`)
  for (const [name, value] of Object.entries({ maxContentChars, flushMs }))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw new InputError(`\`${name}\` must be a positive number, got ${String(value)}.`)
}
