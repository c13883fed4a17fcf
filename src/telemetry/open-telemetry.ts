import type * as Api from '@opentelemetry/api'
import type { Context, MeterProvider, Span, Tracer, TracerProvider } from '@opentelemetry/api'
import type { Conventions } from './conventions.ts'
import type { Logger, LoggerProvider } from './logs.ts'
import { asStructure, debug, loggerOf, registeredLoggerProvider, warn } from './logs.ts'
import { exceptionEvent, names } from './conventions.ts'
import { Instruments } from './instruments.ts'
import type { Attributes, OpenSpan, Place, Recorder, SpanStart } from './span.ts'

export type OpenTelemetryOptions = {
  readonly api: typeof Api
  /** Default: the ones that are registered when a run begins. */
  readonly tracerProvider: TracerProvider | undefined
  readonly meterProvider: MeterProvider | undefined
  /** Default: the one that is registered. Where there is none, events are those of their spans. */
  readonly loggerProvider: LoggerProvider | undefined
  /** Are there to be events of calls that went well, too? */
  readonly events: boolean
  /** Where exceptions go. Left out: to the log where somebody takes records, else to the span. */
  readonly exceptions: 'logs' | 'both' | undefined
  readonly conventions: Conventions
}

const library = 'lena-agent'

/** Spans and measurements through the API of OpenTelemetry, to whoever is registered there. */
export class OpenTelemetryRecorder implements Recorder {
  readonly #options: OpenTelemetryOptions
  #instruments: { readonly of: MeterProvider; readonly made: Instruments | undefined } | undefined

  constructor(options: OpenTelemetryOptions) {
    this.#options = options
  }

  isOn(): boolean {
    return this.#tracer() !== undefined || this.#measured() !== undefined || this.#logger() !== undefined
  }

  /** As the SDK's own clock: with fractions, and never backwards. */
  now(): number {
    return performance.timeOrigin + performance.now()
  }

  here(): Context {
    return this.#options.api.context.active()
  }

  begin({ operation, name, kind, at, attributes, parent, link }: SpanStart): OpenSpan {
    const { api } = this.#options
    const around = (parent as Context | undefined) ?? api.ROOT_CONTEXT
    const linked = link instanceof ApiSpan ? link.span?.spanContext() : undefined
    const span = this.#tracer()?.startSpan(
      name,
      {
        kind: kind === 'client' ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL,
        startTime: at,
        attributes: withoutGaps(attributes),
        ...(linked && { links: [{ context: linked }] }),
      },
      around,
    )
    const measured = this.#measured()
    const all: Record<string, Attributes[string]> | undefined = measured && { ...attributes }
    const context = span ? api.trace.setSpan(around, span) : around
    const onEnd = (type: string | undefined, seconds: number): void =>
      measured?.record(operation, { ...all, [names.errorType]: type }, seconds)
    const { events: takesEvents, exceptions } = this.#options
    return new ApiSpan({ api, span, context, startedAt: at, collected: all, onEnd, takesEvents, exceptions, logger: this.#logger() })
  }

  /** Has the providers hand over what they hold back. */
  async forceFlush(): Promise<void> {
    const { api, tracerProvider = api.trace.getTracerProvider(), meterProvider = api.metrics.getMeterProvider() } = this.#options
    const tracers = tracerProvider instanceof api.ProxyTracerProvider ? tracerProvider.getDelegate() : tracerProvider
    const logs = this.#options.loggerProvider ?? registeredLoggerProvider()
    await Promise.all([flushOf(tracers), flushOf(meterProvider), logs && flushOf(logs)])
  }

  /** `undefined` while nobody is registered. */
  #tracer(): Tracer | undefined {
    const { api, tracerProvider = api.trace.getTracerProvider() } = this.#options
    return tracerProvider instanceof api.ProxyTracerProvider ? tracerProvider.getDelegateTracer(library) : tracerProvider.getTracer(library)
  }

  /** `undefined` where nobody takes records of a log. */
  #logger(): Logger | undefined {
    return loggerOf(this.#options.loggerProvider ?? registeredLoggerProvider(), library)
  }

  #measured(): Instruments | undefined {
    const { api, meterProvider = api.metrics.getMeterProvider(), conventions } = this.#options
    if (this.#instruments?.of === meterProvider) return this.#instruments.made
    const meter = meterProvider.getMeter(library)
    // What is not there is one and the same meter everywhere.
    const made = meter === api.createNoopMeter() ? undefined : new Instruments(meter, conventions)
    this.#instruments = { of: meterProvider, made }
    return made
  }
}

type ApiSpanOptions = {
  readonly api: typeof Api
  /** Left out where measurements alone are taken. */
  readonly span: Span | undefined
  readonly context: Context
  readonly startedAt: number
  /** What measurements are made of; left out where nobody takes them. */
  readonly collected: Record<string, Attributes[string]> | undefined
  readonly onEnd: (errorType: string | undefined, seconds: number) => void
  readonly takesEvents: boolean
  readonly exceptions: OpenTelemetryOptions['exceptions']
  /** Left out where events are those of the span. */
  readonly logger: Logger | undefined
}

class ApiSpan implements OpenSpan {
  readonly place: Place
  readonly isRecording: boolean
  readonly span: Span | undefined
  readonly event: OpenSpan['event']
  readonly #options: ApiSpanOptions

  constructor(options: ApiSpanOptions) {
    this.#options = options
    this.span = options.span
    this.place = options.context
    this.isRecording = options.span?.isRecording() ?? false
    const { logger, span } = options
    if (!options.takesEvents) this.event = undefined
    else if (logger) this.event = (name, attributes, at) => this.#log(logger, name, debug, attributes, at)
    else if (span && this.isRecording) this.event = (name, attributes, at) => void span.addEvent(name, withoutGaps(attributes), at)
  }

  set(attributes: Attributes): void {
    if (this.isRecording) this.span?.setAttributes(withoutGaps(attributes))
    if (this.#options.collected) Object.assign(this.#options.collected, attributes)
  }

  run<T>(fn: () => T): T {
    const { api, context } = this.#options
    return api.context.with(context, fn)
  }

  #log(logger: Logger, eventName: string, severityNumber: number, attributes: Attributes, timestamp: number): void {
    logger.emit({
      eventName,
      timestamp,
      severityNumber,
      attributes: asStructure(withoutGaps(attributes)),
      context: this.#options.context,
    })
  }

  end({ at, error, exception }: Parameters<OpenSpan['end']>[0]): void {
    const { api, startedAt, onEnd, logger, exceptions } = this.#options
    const logged = logger && exception
    if (error && this.span && this.isRecording) {
      this.span.setAttribute(names.errorType, error.type)
      this.span.setStatus({ code: api.SpanStatusCode.ERROR, ...(error.message !== undefined && { message: error.message }) })
      // Without its words an exception says no more than the attribute does.
      const isWanted = exceptions === 'both' || (exceptions === undefined && !logged)
      if (isWanted && error.message !== undefined) this.span.recordException({ name: error.type, message: error.message }, at)
    }
    try {
      if (logged) {
        const said = { [names.exceptionType]: exception.type, [names.exceptionMessage]: exception.message }
        this.#log(logger, exceptionEvent, warn, said, at)
      }
    } finally {
      this.span?.end(at)
      onEnd(error?.type, Math.max(0, at - startedAt) / 1000)
    }
  }
}

type Flushable = { forceFlush?: () => Promise<void> }

const flushOf = async (provider: object): Promise<void> => await (provider as Flushable).forceFlush?.()

function withoutGaps(attributes: Attributes): Api.Attributes {
  const kept: Api.Attributes = {}
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) kept[name] = typeof value === 'object' ? [...value] : value
  return kept
}
