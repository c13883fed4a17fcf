import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import type { Session } from './support/session.ts'
import { saidIn, sessionsIn, textOf } from './support/session.ts'

const own = sessionsIn(new URL('../../recordings/anthropic/', import.meta.url))
const corpora = sessionsIn(new URL('../../../../shared/corpora/transcripts/sessions/', import.meta.url), (name) =>
  name.startsWith('anthropic-'),
)

/** Runs the session again: the answers as they were recorded, tools that answer what they answered then. */
async function replay({ turns, answers }: Session): Promise<{ readonly sent: readonly Sent[]; readonly agent: Agent }> {
  const [first] = turns
  const { model, system, tools } = first!.recorded_request
  const results = new Map(turns.flatMap(({ tool_results_sent_by_recorder: given }) => given.map((result) => [result.id, result])))
  const called = turns.flatMap(({ expected }) => expected.tool_calls.map(({ id }) => id))
  const sent: Sent[] = []
  const fetch = fetchOf(() => new Response(answers[sent.length - 1], { headers: { 'content-type': 'text/event-stream' } }), sent)
  const agent = new Agent({
    model: anthropic(model, { apiKey: 'k', fetch }),
    ...(system !== undefined && { instructions: textOf(system) }),
    tools: tools.map(({ name, description, input_schema: schema }) =>
      tool({
        name,
        description,
        inputSchema: jsonSchema(schema as object & { readonly type: 'object' }),
        execute: () => {
          const { content, is_error: failed } = results.get(called.shift()!)!
          return { status: failed ? 'error' : 'success', content: [{ type: 'text', text: textOf(content) }] }
        },
      }),
    ),
  })
  for (const { recorded_request: asked } of turns) {
    const prompt = saidIn(asked.messages.slice(-1))[0] as { readonly content: readonly unknown[] }
    // A turn that follows from results needs no word of ours.
    if (typeof prompt.content[0] === 'string') await agent.invoke(prompt.content[0])
  }
  return { sent, agent }
}

const cases = (sessions: readonly Session[]): readonly (readonly [string, Session])[] => sessions.map((session) => [session.name, session])

/** What the model said in each turn, and what each request held: as it ran again, and as it was recorded. */
async function bothWays(session: Session): Promise<readonly [ran: unknown, recorded: unknown]> {
  const { sent, agent } = await replay(session)
  const replies = agent.messages.filter(({ role }) => role === 'assistant')
  return [
    {
      requests: sent.map(({ body }) => saidIn(body.messages)),
      replies: replies.map(({ content, metadata }) => ({
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? { id: block.provider?.['anthropic']?.['id'], name: block.name, input: block.input } : [],
        ),
        input: metadata?.usage?.inputTokens,
        output: metadata?.usage?.outputTokens,
      })),
    },
    {
      requests: session.turns.map(({ recorded_request: asked }) => saidIn(asked.messages)),
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
  it('and three of them are here', () => expect(own.length).toBe(3))
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
