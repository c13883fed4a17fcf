// Lena with telemetry(), contents asked for, and OpenTelemetry there but nobody registered: what it costs to be ready to be looked at.
import { trace } from '@opentelemetry/api'
import { telemetry } from 'lena-agent/telemetry'
import { createAgentWith } from './lena.mjs'

export const packages = ['lena-agent', '@opentelemetry/api']
export const protocols = ['openai', 'anthropic']

const tracers = trace.getTracerProvider()
if (tracers.getDelegateTracer?.('bench')) throw new Error('Somebody takes spans: this would measure something else.')

export const createAgent = (options) => createAgentWith(options, () => {}, { plugins: [telemetry({ content: true })] })
