import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import type { Plugin } from '../hooks/hooks.ts'
import { InputError } from '../errors.ts'
import type { PriceTable } from '../models/catalogue/prices.ts'
import { isOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { didYouMean } from '../util/text.ts'
import type { ContentFilter } from './contents.ts'
import { Contents } from './contents.ts'
import type { LoggerProvider } from './logs.ts'
import type { Conventions } from './conventions.ts'
import { conventionsKnown } from './conventions.ts'
import { priceLookUp } from './observation.ts'
import { Observer } from './observer.ts'
import { OpenTelemetryRecorder } from './open-telemetry.ts'
import { loadApi } from './peer.ts'
import { withinTime } from './within-time.ts'

export type TelemetryOptions = {
  /**
   * Keep prompts, answers, inputs and results of tools. A function may change what is kept, or leave it out by giving `undefined`. Default: false,
   * unless `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, `SPAN_ONLY`, `EVENT_ONLY` or `SPAN_AND_EVENT`.
   */
  readonly content?: boolean | ContentFilter | undefined
  /**
   * Where contents are kept: as attributes of the spans, or in an event for each call of a model, `gen_ai.client.inference.operation.details`, or both. An
   * event is a record of a log where somebody takes those, else one of its span. Default: as the variable says, else `attributes`.
   */
  readonly contentPlace?: 'attributes' | 'events' | 'both' | undefined
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
  /** One of `@opentelemetry/sdk-logs`, for events and for calls of models that failed. Default: the one that is registered (`@opentelemetry/api-logs`). */
  readonly loggerProvider?: LoggerProvider | undefined
  /** Wait at the end of each run until the providers have handed over what they hold back, at most this long, in milliseconds. Default: not at all. */
  readonly flushMs?: number | undefined
  /** Prices that go before those that are built in, for `lena.cost_usd`. */
  readonly prices?: PriceTable | undefined
}

const known = [
  'content',
  'contentPlace',
  'maxContentChars',
  'conventions',
  'tracerProvider',
  'meterProvider',
  'loggerProvider',
  'flushMs',
  'prices',
]
const places = ['attributes', 'events', 'both'] as const
type ContentPlace = (typeof places)[number]

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
  const { flushMs, prices, tracerProvider, meterProvider, loggerProvider } = options
  const conventions = options.conventions ?? conventionsOf(environment('OTEL_SEMCONV_STABILITY_OPT_IN'))
  const contents = contentsOf(options)
  const exceptions = exceptionPlaces[environment('OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN')?.trim().toLowerCase() ?? '']
  const place = options.contentPlace ?? contentPlaces[captured()] ?? 'attributes'
  const inEvents = place === 'attributes' ? undefined : contents
  const onSpans = place === 'events' ? undefined : contents
  let recorder: OpenTelemetryRecorder | undefined
  let observer: Observer | undefined
  return {
    name: 'telemetry',
    async setup(agent) {
      const api = await loadApi()
      const events = inEvents !== undefined
      recorder ??= new OpenTelemetryRecorder({ api, tracerProvider, meterProvider, loggerProvider, conventions, events, exceptions })
      const onError = (error: unknown): void => api.diag.error('lena-agent: telemetry failed', error)
      observer ??= new Observer(recorder, { conventions, contents: onSpans, events: inEvents, pricesOf: priceLookUp(prices) }, onError)
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
  const wanted = content ?? Object.hasOwn(contentPlaces, captured())
  return wanted ? new Contents(typeof wanted === 'function' ? wanted : undefined, maxContentChars) : undefined
}

/** The values of the variable that ask for contents, and where those then go. */
const contentPlaces: Readonly<Record<string, ContentPlace>> = {
  true: 'attributes',
  span_only: 'attributes',
  event_only: 'events',
  span_and_event: 'both',
}

/** Exceptions move from spans to logs: the values of the variable for those who cannot have them in both, or must. */
const exceptionPlaces: Readonly<Record<string, 'logs' | 'both'>> = { logs: 'logs', 'logs/dup': 'both' }

const captured = (): string => (environment('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') ?? '').toLowerCase()

const conventionsOf = (optIn: string | undefined): Conventions =>
  (optIn ?? '').split(',').some((part) => part.trim() === 'gen_ai_latest_experimental') ? 'genai_0_1' : 'core_1_45'

/** A browser has none. */
const environment = (name: string): string | undefined => (typeof process === 'undefined' ? undefined : process.env[name])

function checkOptions(options: TelemetryOptions): void {
  if (!isOptions(options)) throw new InputError(`telemetry() takes an object of options, got ${describe(options)}.`)
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new InputError(`There is no option "${key}" of telemetry().${didYouMean(key, known)} Known: ${known.join(', ')}.`)
  const { content, contentPlace, conventions, maxContentChars, flushMs } = options
  if (content !== undefined && typeof content !== 'boolean' && typeof content !== 'function')
    throw new InputError(`\`content\` must be true, false or a function (name, content) => content, got ${typeof content}.`)
  if (contentPlace !== undefined && !places.includes(contentPlace))
    throw new InputError(`\`contentPlace\` must be ${places.join(', ')}, got ${JSON.stringify(contentPlace)}.`)
  if (conventions !== undefined && !conventionsKnown.includes(conventions))
    throw new InputError(`\`conventions\` must be ${conventionsKnown.join(' or ')}, got ${JSON.stringify(conventions)}.`)
  for (const [name, value] of Object.entries({ maxContentChars, flushMs }))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw new InputError(`\`${name}\` must be a positive number, got ${String(value)}.`)
}
