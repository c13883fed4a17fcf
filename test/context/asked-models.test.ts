import { expect, it } from 'vitest'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { summarising } from '../../src/context/summarising.ts'
import { text, textOf } from '../../src/messages/content.ts'
import { repair } from '../../src/messages/repair.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { makeAgent } from '../support/make-agent.ts'

const history = repair([
  user('find the bug'),
  ...Array.from({ length: 12 }, (_, i) => [assistant(call(`c${i}`)), user(result(`c${i}`, `line ${i} `.repeat(40)))]).flat(),
  assistant('I have found it.'),
])
const notes = () => ({ ...scriptedModel({ text: 'secret notes' }), id: 'notes' })

it('middleware of the stage context_model stands around what a summary asks, the first outermost, and may change it', async () => {
  const model = notes()
  const { agent, model: own } = makeAgent([{ text: 'Done.' }], { context: summarising({ model, keep: 2, at: 0.1 }), messages: history })
  Object.assign(own, { contextWindow: 10_000 })
  const seen: unknown[] = []
  agent.use('context_model', (asked, next) => {
    seen.push([asked.model?.id, asked.turn, asked.conversationId, asked.agent.name])
    return next({ ...asked.request, system: [text('Write in verse.')] })
  })
  agent.use('context_model', async function* (asked, next) {
    seen.push(asked.request.system)
    for await (const event of next(asked.request))
      yield event.type === 'block_delta' && event.delta.type === 'text'
        ? { ...event, delta: { ...event.delta, text: event.delta.text.replace('secret', 'open') } }
        : event
  })
  agent.use('model', (request, next) => {
    seen.push('model')
    return next(request)
  })
  await agent.invoke('go on')
  expect(seen).toEqual([['notes', 1, 'conv_1', 'agent'], [text('Write in verse.')], 'model'])
  expect(model.requests.map(({ system }) => system)).toEqual([[text('Write in verse.')]])
  expect(textOf(agent.messages[0]!)).toContain('open notes')
})

it('a manager of somebody else asks in the same way', async () => {
  const model = notes()
  const asking: ContextManager = {
    name: 'asking',
    reduce: async () => undefined,
    before: async ({ ask, signal, spend }) => {
      const request = {
        system: [],
        messages: [{ role: 'user' as const, content: [text('How long is it?')] }],
        tools: [],
        toolChoice: 'none' as const,
        settings: {},
      }
      for await (const event of ask!(model, request, { signal }))
        if (event.type === 'metadata' && event.usage) spend?.(event.usage, 'scripted/notes')
      return undefined
    },
  }
  const { agent } = makeAgent([{ text: 'Done.', usage: { inputTokens: 1 } }], { context: asking })
  const stages: string[] = []
  const off = agent.use('context_model', (asked, next) => {
    stages.push(String(asked.model?.id))
    return next(asked.request)
  })
  const { usage } = await agent.invoke('go')
  off()
  expect([stages, usage.inputTokens > 1]).toEqual([['notes'], true])
})
