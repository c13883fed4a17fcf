import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { JsonValue } from '../../../src/util/json.ts'
import { isObject } from '../../../src/util/json.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import type { Session } from './support/session.ts'
import { saidIn, sessionsIn, textOf } from './support/session.ts'

const own = sessionsIn(new URL('../../recordings/openai/', import.meta.url))
const corpora = sessionsIn(new URL('../../../../shared/corpora/transcripts/sessions/', import.meta.url))

/** Recorded with another beginning in its second turn, without the first prompt: there the calls and their results are compared. */
const beginsAnew = ({ name }: Session): boolean => name.startsWith('xai-raw-responses')
const callsAndResults = (said: readonly JsonValue[]): readonly JsonValue[] =>
  said.filter((item) => isObject(item) && ('calls' in item || 'answers' in item))

/** Runs the session again: the answers as they were recorded, tools that answer what they answered then. */
async function replay({ turns, answers }: Session): Promise<{ readonly sent: readonly Sent[]; readonly agent: Agent }> {
  const { model, instructions, tools = [] } = turns[0]!.recorded_request
  const results = new Map(turns.flatMap(({ tool_results_sent_by_recorder: given }) => given.map((result) => [result.id, result])))
  const called = turns.flatMap(({ expected }) => expected.tool_calls.map(({ id }) => id))
  const sent: Sent[] = []
  const fetch = fetchOf(() => new Response(answers[sent.length - 1], { headers: { 'content-type': 'text/event-stream' } }), sent)
  const agent = new Agent({
    model: openai(model, { apiKey: 'k', fetch }),
    ...(instructions !== undefined && { instructions }),
    tools: tools.map(({ name, description, parameters }) =>
      tool({
        name,
        description,
        inputSchema: jsonSchema(parameters as object & { readonly type: 'object' }),
        execute: () => ({ status: 'success', content: [{ type: 'text', text: textOf(results.get(called.shift()!)!.content) }] }),
      }),
    ),
  })
  for (const [index, { recorded_request: asked }] of turns.entries()) {
    const last = asked.input.at(-1)!
    if (last['role'] !== 'user') continue
    // A prompt that stands right behind results was given when the tools had run, before the model was asked again.
    const stopsBehindResults = turns[index + 1]?.recorded_request.input.at(-2)?.['type'] === 'function_call_output'
    await agent.invoke(textOf(last['content']), stopsBehindResults ? { limits: { turns: 1 } } : {})
  }
  return { sent, agent }
}

const cases = (sessions: readonly Session[]): readonly (readonly [string, Session])[] => sessions.map((session) => [session.name, session])

/** What the model said in each turn, and what each request held: as it ran again, and as it was recorded. */
async function bothWays(session: Session): Promise<readonly [ran: unknown, recorded: unknown]> {
  const { sent, agent } = await replay(session)
  const compared = beginsAnew(session) ? callsAndResults : (said: readonly JsonValue[]) => said
  const replies = agent.messages.filter(({ role }) => role === 'assistant')
  return [
    {
      requests: sent.map(({ body }) => compared(saidIn(body.input))),
      replies: replies.map(({ content, metadata }) => ({
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? { id: block.provider?.['openai']?.['id'], name: block.name, input: block.input } : [],
        ),
        input: metadata?.usage?.inputTokens,
        output: metadata?.usage?.outputTokens,
      })),
    },
    {
      requests: session.turns.map(({ recorded_request: asked }) => compared(saidIn(asked.input))),
      replies: session.turns.map(({ expected: { text, tool_calls: calls, usage } }) => ({
        text,
        calls,
        input: usage.input,
        output: usage.output,
      })),
    },
  ]
}

describe('a recorded session runs again as it ran', () => {
  it('and two of them are here', () => expect(own.length).toBe(2))
  it.each(cases(own))('%s', async (_name, session) => {
    const [ran, recorded] = await bothWays(session)
    expect(ran).toEqual(recorded)
  })
})

describe.skipIf(corpora.length === 0)('so do all others (skipped when ../shared/corpora is missing)', () => {
  it.each(cases(corpora))('%s', async (_name, session) => {
    const [ran, recorded] = await bothWays(session)
    expect(ran).toEqual(recorded)
  })
})
