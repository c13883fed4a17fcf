import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { MaxTokensError } from '../../../src/errors.ts'
import { check } from '../../../src/messages/check.ts'
import { look } from '../../support/tools.ts'
import type { Sent } from './support/ask.ts'
import { eventStream, fetchOf, modelOf } from './support/ask.ts'
import { adds, begins, calls, closes, ends, frames, opens, says } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

/** A model that gives these answers, one after the other. */
function playing(...answers: readonly Uint8Array<ArrayBuffer>[]): { readonly model: ReturnType<typeof modelOf>; readonly sent: Sent[] } {
  const sent: Sent[] = []
  return { model: modelOf(fetchOf(() => eventStream(answers[sent.length - 1]!), sent)), sent }
}

describe('a run', () => {
  it('keeps the inputs of two calls apart, and each gets its own result', async () => {
    const { model, sent } = playing(
      frames(
        begins,
        opens(0, { toolUse: { toolUseId: 'tooluse_a', name: 'look' } }),
        opens(1, { toolUse: { toolUseId: 'tooluse_b', name: 'look' } }),
        adds(0, { toolUse: { input: '{"at"' } }),
        adds(1, { toolUse: { input: '{"at":2}' } }),
        adds(0, { toolUse: { input: ':1}' } }),
        closes(1),
        closes(0),
        ...ends('tool_use'),
      ),
      frames(begins, ...says(0, 'ok'), ...ends()),
    )
    const agent = new Agent({ model, tools: [look()] })
    expect(String(await agent.invoke('Look.'))).toBe('ok')
    expect(sent[1]!.body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'tooluse_a', name: 'look', input: { at: 1 } } },
          { toolUse: { toolUseId: 'tooluse_b', name: 'look', input: { at: 2 } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'tooluse_a', content: [{ text: 'seen 1' }] } },
          { toolResult: { toolUseId: 'tooluse_b', content: [{ text: 'seen 2' }] } },
        ],
      },
    ])
    expect(check(agent.messages)).toEqual([])
  })

  it('whose call was cut by the limit ends with that error, and the call does not run', async () => {
    let ran = 0
    const { model } = playing(frames(begins, ...calls(0, 'look', '{"title":"Intro","bo'), ...ends('max_tokens')))
    const agent = new Agent({ model, tools: [look(() => ran++)] })
    await expect(agent.invoke('Write.')).rejects.toBeInstanceOf(MaxTokensError)
    expect([ran, check(agent.messages)]).toEqual([0, []])
  })

  it('gives each of two calls with one id its own result', async () => {
    const { model, sent } = playing(
      frames(begins, ...calls(0, 'look', '{"at":1}', 'same'), ...calls(1, 'look', '{"at":2}', 'same'), ...ends('tool_use')),
      frames(begins, ...says(0, 'ok'), ...ends()),
    )
    await new Agent({ model, tools: [look()] }).invoke('Look.')
    const [, asked, answered] = sent[1]!.body.messages
    const ids = asked!.content.map(({ toolUse }) => (toolUse as { readonly toolUseId: string }).toolUseId)
    expect([ids[0], new Set(ids).size]).toEqual(['same', 2])
    expect(answered!.content).toEqual(ids.map((toolUseId, i) => ({ toolResult: { toolUseId, content: [{ text: `seen ${i + 1}` }] } })))
  })

  it('replaces what a guardrail blocked in the history', async () => {
    const trace = { guardrail: { inputAssessment: { g: { topicPolicy: { topics: [{ name: 't', type: 'DENY', action: 'BLOCKED' }] } } } } }
    const body = frames(
      begins,
      ...says(0, 'Sorry, no.'),
      ['messageStop', { stopReason: 'guardrail_intervened' }],
      ['metadata', { trace, usage: {} }],
    )
    const agent = new Agent({
      model: modelOf(fetchOf(body), undefined, { guardrail: { id: 'g', version: '1', redactInput: '[removed]' } }),
    })
    const result = await agent.invoke('Something forbidden.')
    expect([result.stopReason, JSON.stringify(agent.messages)]).toEqual(['guardrail_intervened', expect.not.stringContaining('forbidden')])
  })
})
