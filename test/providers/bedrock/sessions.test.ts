import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import type { ToolResultContent } from '../../../src/messages/content.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import type { Sent } from './support/ask.ts'
import { eventStream, fetchOf, modelOf } from './support/ask.ts'
import type { Session } from './support/session.ts'
import { saidIn, sessionsIn } from './support/session.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const own = sessionsIn(new URL('../../recordings/bedrock/', import.meta.url))
const corpora = sessionsIn(new URL('../../../../shared/corpora/transcripts/sessions/', import.meta.url), (name) =>
  name.startsWith('bedrock-'),
)

const resultOf = (part: JsonObject): ToolResultContent =>
  part['text'] === undefined ? { type: 'json', value: part['json']! } : { type: 'text', text: String(part['text']) }

/** Runs the session again: the answers as they were recorded, tools that answer what they answered then. */
async function replay({ turns, answers }: Session): Promise<{ readonly sent: readonly Sent[]; readonly agent: Agent }> {
  const { system, toolConfig } = turns[0]!.recorded_request
  const results = new Map(turns.flatMap(({ tool_results_sent_by_recorder: given }) => given.map((result) => [result.id, result])))
  const called = turns.flatMap(({ expected }) => expected.tool_calls.map(({ id }) => id))
  const sent: Sent[] = []
  const agent = new Agent({
    model: modelOf(fetchOf(() => eventStream(answers[sent.length - 1]!), sent)),
    ...(system && { instructions: system.map(({ text }) => text).join('') }),
    tools: toolConfig.tools.map(({ toolSpec: { name, description, inputSchema } }) =>
      tool({
        name,
        description,
        inputSchema: jsonSchema(inputSchema.json as object & { readonly type: 'object' }),
        execute: () => {
          const result = results.get(called.shift()!)
          // Of the last call of a session the result was not recorded.
          return result ? { status: result.status === 'error' ? 'error' : 'success', content: result.content.map(resultOf) } : 'unknown'
        },
      }),
    ),
  })
  for (const [i, { recorded_request: asked }] of turns.entries()) {
    const [said] = asked.messages.at(-1)!.content
    // A turn that follows from results needs no word of ours.
    if (typeof said?.['text'] !== 'string') continue
    const next = turns.findIndex(({ recorded_request: { messages } }, at) => at > i && messages.at(-1)!.content[0]?.['text'] !== undefined)
    await agent.invoke(said['text'], { limits: { turns: (next < 0 ? turns.length : next) - i } })
  }
  return { sent, agent }
}

/** What the model said in each turn, and what each request held: as it ran again, and as it was recorded. */
async function bothWays(session: Session): Promise<readonly [ran: unknown, recorded: unknown, breaches: unknown]> {
  const { sent, agent } = await replay(session)
  const replies = agent.messages.filter(({ role }) => role === 'assistant')
  return [
    {
      requests: sent.map(({ body }) => saidIn(body.messages)),
      replies: replies.map(({ content, metadata }) => ({
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? { id: block.provider?.['bedrock']?.['id'], name: block.name, input: block.input } : [],
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
    check(agent.messages),
  ]
}

const cases = (sessions: readonly Session[]): readonly (readonly [string, Session])[] => sessions.map((session) => [session.name, session])

describe('a recorded session runs again as it ran', () => {
  it('and two of them are here', () => expect(own.length).toBe(2))
  it.each(cases(own))('%s', async (_name, session) => {
    const [ran, recorded, breaches] = await bothWays(session)
    expect([ran, breaches]).toEqual([recorded, []])
  })
})

describe.skipIf(corpora.length === 0)('so do all others (skipped when ../shared/corpora is missing)', () => {
  it.each(cases(corpora))('%s', async (_name, session) => {
    const [ran, recorded, breaches] = await bothWays(session)
    expect([ran, breaches]).toEqual([recorded, []])
  })
})
