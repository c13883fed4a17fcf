import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import { aiSdk } from '../../../src/providers/ai-sdk/index.ts'
import { look } from '../../support/tools.ts'
import type { Part, Script, Traits } from './support/scripted.ts'
import { calls, finish, says, scripted } from './support/scripted.ts'

type Flow = { readonly agent: Agent; readonly sent: () => readonly (readonly unknown[])[] }

/** An agent whose model plays these scripts, and the prompts that it was given. */
function flowOf(scripts: readonly Script[], traits: Traits = {}): Flow {
  const { model, asked } = scripted(scripts, traits)
  return { agent: new Agent({ model: aiSdk(model), tools: [look()] }), sent: () => asked.map(({ prompt }) => prompt) }
}

describe.each(['v4', 'v3'] as const)('a run with a model of %s', (version) => {
  it('runs calls, also where nothing says that a message began and it ends with "stop"', async () => {
    const { agent, sent } = flowOf(
      [
        [...calls('look', '{"at":1}', 'a'), finish('stop')],
        [...says('Done.'), finish()],
      ],
      { version },
    )
    const result = await agent.invoke('Look.')
    expect([result.stopReason, String(result)]).toEqual(['end_turn', 'Done.'])
    expect(sent()[1]).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { at: 1 } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'seen 1' } }] },
    ])
    expect(check(agent.messages)).toEqual([])
  })

  it('gives each of two calls with one id its own result, and answers one that nobody knows', async () => {
    const unknown = calls('lock', '{"at":3}', 'c')
    const { agent, sent } = flowOf(
      [
        [...calls('look', '{"at":1}', 'a'), ...calls('look', '{"at":2}', 'a'), ...unknown, finish('tool-calls')],
        [...says('Done.'), finish()],
      ],
      { version },
    )
    await agent.invoke('Look.')
    const [, asked, answered] = sent()[1] as readonly {
      readonly content: readonly { readonly toolCallId: string; readonly output: unknown }[]
    }[]
    const ids = asked!.content.map(({ toolCallId }) => toolCallId)
    expect([ids[0], new Set(ids).size, ids[2]]).toEqual(['a', 3, 'c'])
    expect(answered!.content.map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
      [ids[0], { type: 'text', value: 'seen 1' }],
      [ids[1], { type: 'text', value: 'seen 2' }],
      ['c', { type: 'error-text', value: expect.stringContaining('look') }],
    ])
  })

  it('does not run a call that was cut, and tells the model', async () => {
    const cut = calls('look', '{"at":1}', 'a').slice(0, 2)
    const { agent, sent } = flowOf(
      [
        [...cut, finish('tool-calls')],
        [...says('I see.'), finish()],
      ],
      { version },
    )
    await agent.invoke('Look.')
    expect(sent()[1]!.at(-1)).toMatchObject({
      content: [
        { toolCallId: 'a', output: { type: 'error-text', value: expect.stringContaining('[The answer ended inside this input.]') } },
      ],
    })
  })

  it('goes on where the provider paused, and gives back what it thought and ran', async () => {
    const signed = { anthropic: { signature: 'SIG' } }
    const searching: readonly Part[] = [
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Search first.' },
      { type: 'reasoning-end', id: '0', providerMetadata: signed },
      { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{"q":"x"}', providerExecuted: true },
    ]
    const found: readonly Part[] = [{ type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: [] }, ...says('Nothing.')]
    const { agent, sent } = flowOf(
      [
        [...searching, finish('stop', 'pause_turn')],
        [...found, finish()],
        [...says('Yes.'), finish()],
      ],
      { version },
    )
    expect(String(await agent.invoke('Search.'))).toBe('Nothing.')
    await agent.invoke('Sure?')
    const thought = { type: 'reasoning', text: 'Search first.', providerOptions: signed }
    const searched = { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: { q: 'x' }, providerExecuted: true }
    expect(sent()[1]!.at(-1)).toEqual({ role: 'assistant', content: [thought, searched] })
    expect(sent()[2]!.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          thought,
          searched,
          { type: 'tool-result', toolCallId: 's', toolName: 'web_search', output: { type: 'json', value: [] } },
          { type: 'text', text: 'Nothing.' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
    ])
  })

  it('asks each time what it asked before and something more', async () => {
    const turns = Array.from({ length: 49 }, (_, turn) => [...calls('look', `{"at":${turn}}`, `c${turn}`), finish('tool-calls')])
    const { agent, sent } = flowOf([...turns, [...says('Done.'), finish()]], { version })
    await agent.invoke('Go.')
    expect(sent().length).toBe(50)
    sent().forEach((prompt, i) => expect(JSON.stringify(prompt.slice(0, -2))).toBe(JSON.stringify(i === 0 ? [] : sent()[i - 1])))
  })
})

describe('a history', () => {
  it('of one provider goes to another without what only that one understands', async () => {
    const first = flowOf(
      [
        [
          { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
          { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{}', providerExecuted: true },
          { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'r' },
          ...calls('look', '{"at":1}', 'a'),
          finish('tool-calls'),
        ],
        [...says('Done.'), finish()],
      ],
      { provider: 'one.chat' },
    )
    await first.agent.invoke('Look.')
    const { model, asked } = scripted([[...says('Yes.'), finish()]], { provider: 'two.chat' })
    const second = new Agent({ model: aiSdk(model), messages: first.agent.messages })
    await second.invoke('Sure?')
    const [, called, answered, done] = asked[0]!.prompt
    const { toolCallId } = (called!.content as readonly { readonly toolCallId: string }[])[0]!
    expect([called, answered, done]).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: expect.stringMatching(/^call_/), toolName: 'look', input: { at: 1 } }],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'look', output: { type: 'text', value: 'seen 1' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ])
  })
})
