import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll } from 'vitest'
import type { LoggerProvider, LogRecord } from '../../../src/telemetry/index.ts'

/** A span as a test writes it down: without times and ids, with those that stand in it. */
export type SeenSpan = {
  readonly name: string
  readonly kind: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly error?: string | undefined
  readonly exceptions?: readonly unknown[] | undefined
  readonly linked?: readonly string[] | undefined
  readonly children?: readonly SeenSpan[] | undefined
}

/** OpenTelemetry as a program would have it, in memory. Nothing global but the context manager, which `useContext` brings. */
export function inMemory() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  return {
    providers: { tracerProvider, meterProvider },
    spans: () => exporter.getFinishedSpans(),
    tree: () => treeOf(exporter.getFinishedSpans()),
    measured: async (): Promise<readonly MetricData[]> => {
      await reader.forceFlush()
      const all =
        metrics
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
      await meterProvider.shutdown()
      return all
    },
  }
}

/** Keeps records of a log, as `@opentelemetry/sdk-logs` would. */
export function inMemoryLogs() {
  const records: LogRecord[] = []
  let flushed = 0
  const loggerProvider: LoggerProvider & { readonly forceFlush: () => Promise<void> } = {
    getLogger: (name) => ({ emit: (record) => void records.push({ ...record, attributes: { ...record.attributes, logger: name } }) }),
    forceFlush: async () => void flushed++,
  }
  return { records, loggerProvider, flushes: () => flushed }
}

/** For the tests of a file: the active span follows asynchronous calls, as in any program with OpenTelemetry. */
export function useContext(): void {
  const manager = new AsyncLocalStorageContextManager()
  beforeAll(() => {
    context.setGlobalContextManager(manager.enable())
  })
  afterAll(() => context.disable())
}

function treeOf(spans: readonly ReadableSpan[]): readonly SeenSpan[] {
  const nameOf = (id: string): string => spans.find((span) => span.spanContext().spanId === id)?.name ?? 'unknown'
  const below = (parent: string | undefined): readonly SeenSpan[] =>
    spans
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
      .map((span) => {
        const children = below(span.spanContext().spanId)
        const exceptions = span.events.map(({ name, attributes }) => ({ name, ...attributes }))
        // What takes time differs from run to run.
        const { 'gen_ai.response.time_to_first_chunk': firstChunk, ...attributes } = span.attributes
        return {
          name: span.name,
          kind: SpanKind[span.kind],
          attributes: {
            ...attributes,
            ...(typeof firstChunk === 'number' && firstChunk >= 0 && { 'gen_ai.response.time_to_first_chunk': 'some' }),
          },
          ...(span.status.code === SpanStatusCode.ERROR && { error: span.status.message ?? '' }),
          ...(exceptions.length > 0 && { exceptions }),
          ...(span.links.length > 0 && { linked: span.links.map((link) => nameOf(link.context.spanId)) }),
          ...(children.length > 0 && { children }),
        }
      })
  return below(undefined)
}

type Extra = Partial<Omit<SeenSpan, 'name' | 'kind' | 'attributes'>> & { readonly with?: Readonly<Record<string, unknown>> }

const error = (type: string, message?: string) => ({
  error: message ?? '',
  ...(message !== undefined && { exceptions: [{ name: 'exception', 'exception.type': type, 'exception.message': message }] }),
})

/** What a failed span has beside its attributes. */
export const failedWith = (type: string, message?: string, more: Readonly<Record<string, unknown>> = {}): Extra => ({
  with: { 'error.type': type, ...more },
  ...error(type, message),
})

const span = (name: string, kind: string, attributes: Readonly<Record<string, unknown>>, { with: more, ...rest }: Extra): SeenSpan => ({
  name,
  kind,
  attributes: { ...attributes, ...more },
  ...rest,
})

/** The span of an agent whose model is the scripted one. */
export const agentSpan = (name: string, extra: Extra = {}): SeenSpan =>
  span(
    `invoke_agent ${name}`,
    'INTERNAL',
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.agent.name': name,
      'gen_ai.conversation.id': 'conv_1',
    },
    extra,
  )

/** The span of an attempt at the scripted model that began to answer. */
export const chatSpan = (turn: number, extra: Extra = {}): SeenSpan =>
  span(
    'chat scripted',
    'CLIENT',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': 'conv_1',
      'gen_ai.request.stream': true,
      'lena.turn': turn,
      'lena.attempt': 1,
      'gen_ai.response.time_to_first_chunk': 'some',
    },
    extra,
  )

export const toolSpan = (name: string, id: string, extra: Extra = {}): SeenSpan =>
  span(
    `execute_tool ${name}`,
    'INTERNAL',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.description': 'Works.',
      'gen_ai.tool.type': 'function',
      'gen_ai.agent.name': 'agent',
      'lena.turn': 1,
    },
    extra,
  )

/** What an attempt has that came to its end, and what the run has that is made of it. */
export const ended = (reason: string, input = 10, output = 2) => ({ 'gen_ai.response.finish_reasons': [reason], ...tokens(input, output) })

export const tokens = (input: number, output: number) => ({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output })
