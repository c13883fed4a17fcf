import { propagation, trace } from '@opentelemetry/api'
import type { TextMapPropagator } from '@opentelemetry/api'
import { afterAll, beforeAll } from 'vitest'

/** Reads and writes W3C Trace Context, as the propagator of the SDK does. */
export const traceContext: TextMapPropagator = {
  inject(context, carrier, setter) {
    const span = trace.getSpanContext(context)
    if (span) setter.set(carrier, 'traceparent', `00-${span.traceId}-${span.spanId}-0${span.traceFlags}`)
  },
  extract(context, carrier, getter) {
    const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-')
    return traceId && spanId ? trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true }) : context
  },
  fields: () => ['traceparent'],
}

/** For the tests of a file: traces go on in other processes, as in a program with a propagator. */
export function useTraceContext(): void {
  beforeAll(() => void propagation.setGlobalPropagator(traceContext))
  afterAll(() => propagation.disable())
}
