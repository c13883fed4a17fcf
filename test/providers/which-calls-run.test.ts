// Of the calls in every recorded stream those run, and those alone, that the stream brought whole.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { check } from '../../src/messages/check.ts'
import type { Model } from '../../src/models/model.ts'
import { anthropic } from '../../src/providers/anthropic/index.ts'
import { google } from '../../src/providers/google/index.ts'
import { openai } from '../../src/providers/openai/index.ts'
import { tool } from '../../src/tools/tool.ts'
import { eventStreamType, modelOf } from './bedrock/support/ask.ts'
import { environment, useOwnEnvironment } from './bedrock/support/env.ts'
import type { CorpusStream } from './support/corpus.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from './support/corpus.ts'

useOwnEnvironment()

environment()

const models: Readonly<Record<string, (fetch: typeof globalThis.fetch) => Model>> = {
  'anthropic-messages': (fetch) => anthropic('m', { apiKey: 'k', fetch }),
  'openai-chat': (fetch) => openai('m', { baseURL: 'http://p.test/v1', provider: 'p', fetch }),
  'openai-responses': (fetch) => openai('m', { apiKey: 'k', fetch }),
  'gemini-generate-content': (fetch) => google('m', { apiKey: 'k', fetch }),
  'bedrock-converse-stream': (fetch) => modelOf(fetch),
}
type Call = CorpusStream['expected']['tool_calls'][number] & { readonly incomplete?: boolean }
/** Two messages in one have no right answer: here that is an error. */
const spliced = 'anthropic/spliced-message-start'
/** A custom tool takes text: none of ours. */
const callsOf = ({ expected }: CorpusStream): readonly Call[] => expected.tool_calls.filter(({ input }) => typeof input !== 'string')
const isWhole = ({ input_error: error, incomplete = false }: Call): boolean => error === undefined && !incomplete
const streams = Object.keys(models)
  .flatMap(corpusStreams)
  .filter((stream) => callsOf(stream).length > 0)

/** The inputs with which tools were run, over the answer and what followed from it. */
async function runsOf(stream: CorpusStream): Promise<{ readonly runs: readonly unknown[]; readonly asked: number }> {
  const runs: unknown[] = []
  let asked = 0
  const type = stream.api === 'bedrock-converse-stream' ? eventStreamType : 'text/event-stream'
  // What is asked after that is refused, which ends the run.
  const fetch: typeof globalThis.fetch = async () =>
    asked++ === 0
      ? new Response(corpusBytes(stream) as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
      : new Response('{"message":"enough"}', { status: 400, headers: { 'content-type': 'application/json' } })
  const names = [...new Set(callsOf(stream).map(({ name }) => name))]
  const agent = new Agent({
    model: models[stream.api]!(fetch),
    retry: false,
    tools: names.map((name) =>
      tool({
        name,
        description: 'Notes.',
        inputSchema: { type: 'object' },
        execute: (input) => void runs.push([name, input]),
      }),
    ),
  })
  await agent.invoke('go').catch(() => undefined)
  expect(check(agent.messages)).toEqual([])
  return { runs, asked }
}

describe.skipIf(!corpusIsThere)('recorded streams (skipped when ../shared/corpora is missing)', () => {
  it('are there, some with calls that must not run', () =>
    expect([streams.length > 70, streams.filter((stream) => !callsOf(stream).every(isWhole)).length]).toEqual([true, 8]))

  it.each(streams.map((stream) => [stream.id, stream] as const))('%s', async (_id, stream) => {
    const { expected, id } = stream
    const { runs, asked } = await runsOf(stream)
    // What is no message runs nothing, and what was cut is not gone on from.
    const goesOn =
      expected.complete &&
      id !== spliced &&
      (expected.stop_class === 'tool' || expected.stop_class === 'end' || expected.stop_class === null)
    expect(runs).toEqual(goesOn ? callsOf(stream).flatMap((call) => (isWhole(call) ? [[call.name, call.input]] : [])) : [])
    expect(asked).toBe(goesOn ? 2 : 1)
  })
})
