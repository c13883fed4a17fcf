import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { google } from '../../../src/providers/google/index.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { Sent } from './support/ask.ts'
import { eventStream, fetchOf } from './support/ask.ts'
import type { Session } from './support/session.ts'
import { saidIn, sessionsIn, textOf } from './support/session.ts'

const own = sessionsIn(new URL('../../recordings/google/', import.meta.url))
const corpora = sessionsIn(new URL('../../../../shared/corpora/transcripts/sessions/', import.meta.url), (name) =>
  name.startsWith('gemini-'),
)

/** Runs the session again: the answers as they were recorded, tools that answer what they answered then. */
async function replay({ turns, answers }: Session): Promise<{ readonly sent: readonly Sent[]; readonly agent: Agent }> {
  const { systemInstruction: system, tools } = turns[0]!.recorded_request
  const results = [...turns.at(-1)!.tool_results_sent_by_recorder]
  const sent: Sent[] = []
  const agent = new Agent({
    model: google('gemini-2.5-flash', { apiKey: 'k', fetch: fetchOf(() => eventStream(answers[sent.length - 1]), sent) }),
    ...(system && { instructions: system.parts.map(({ text }) => text).join('') }),
    tools: tools.flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name, description }) =>
        tool({
          name,
          description,
          inputSchema: jsonSchema({ type: 'object' }),
          execute: () => {
            const next = results.shift()!
            expect(next.name).toBe(name)
            return textOf(next.content)
          },
        }),
      ),
    ),
  })
  for (const { recorded_request: asked } of turns) {
    const { text } = asked.contents.at(-1)!.parts[0]!
    // A turn that follows from results needs no word of ours.
    if (typeof text === 'string') await agent.invoke(text)
  }
  return { sent, agent }
}

const cases = (sessions: readonly Session[]): readonly (readonly [string, Session])[] => sessions.map((session) => [session.name, session])

async function sameAsRecorded(_name: string, session: Session): Promise<void> {
  const { sent, agent } = await replay(session)
  expect(sent.length).toBe(session.turns.length)
  sent.forEach(({ body }, turn) =>
    expect(saidIn(body.contents), `request ${turn + 1}`).toEqual(saidIn(session.turns[turn]!.recorded_request.contents)),
  )
  const replies = agent.messages.filter(({ role }) => role === 'assistant')
  expect(
    replies.map(({ content, metadata }) => ({
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? { name: block.name, input: block.input } : [])),
      input: metadata?.usage?.inputTokens,
      output: metadata?.usage?.outputTokens,
    })),
  ).toEqual(
    session.turns.map(({ expected: { text, tool_calls: calls, usage } }) => ({
      text,
      calls: calls.map(({ name, input }) => ({ name, input })),
      input: usage.input,
      output: usage.output + (usage.reasoning ?? 0),
    })),
  )
  expect(pairsIn(sent.at(-1)!)).toEqual(
    agent.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.id]] : []))),
  )
}

/** The ids of calls, and those of the results behind them. */
function pairsIn({ body }: Sent): readonly unknown[] {
  const idsOf = (key: string): readonly unknown[] =>
    body.contents.flatMap(({ parts }) =>
      parts.flatMap((part) => (part[key] === undefined ? [] : (part[key] as { readonly id: string }).id)),
    )
  const answered = idsOf('functionResponse')
  return idsOf('functionCall').map((id, i) => [id, answered[i]])
}

describe('a recorded session runs again as it ran', () => {
  it('and two of them are here', () => expect(own.length).toBe(2))
  it.each(cases(own))('%s', sameAsRecorded)
})

describe.skipIf(corpora.length === 0)('so do all others (skipped when ../shared/corpora is missing)', () => {
  it.each(cases(corpora))('%s', sameAsRecorded)
})
