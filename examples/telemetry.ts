// Two ways to look at a run: OpenTelemetry, as a program with it would have it, and a plain file.
//
//   npx tsx examples/telemetry.ts
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, jsonSchema, tool } from 'lena-agent'
import { readTraceFile, telemetry, traceFile } from 'lena-agent/telemetry'
import { scriptedModel } from 'lena-agent/testing'

// What a program usually gets from `@opentelemetry/sdk-node`: who takes the spans, and who knows which one is active.
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city.',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  isReadOnly: true,
  execute: ({ city }) => `${city}: 22 °C`,
})
const path = join(await mkdtemp(join(tmpdir(), 'lena-')), 'run.jsonl')

const agent = new Agent({
  // In the place of 'anthropic/claude-sonnet-5-5', so that this runs without a key.
  model: scriptedModel(
    { calls: [{ name: 'weather', input: { city: 'Tokyo' } }], usage: { inputTokens: 120, outputTokens: 18 } },
    { text: 'It is warm.', usage: { inputTokens: 160, outputTokens: 4 } },
  ),
  tools: [weather],
  // Contents stay out of both; `content: true` lets them in.
  plugins: [telemetry({ tracerProvider }), traceFile({ path })],
})
console.log(String(await agent.invoke('Is it warm in Tokyo?')))

const { spans } = await readTraceFile(path)
for (const span of [spans[0]!, ...spans[0]!.children]) console.log(span.name, `${span.durationMs} ms`)
console.log(`The same for people: lena trace ${path}`)
