import { expect, it } from 'vitest'
import { answering, calling, made, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, failedWith, toolSpan, tokens, useContext } from './support/telemetered.ts'

useContext()

const work = made('work', () => 'ok')
const broken = (): never => {
  throw new Error('The hook broke.')
}

it('tells of a hook that threw behind a call: the call itself was good', async () => {
  const { agent, tree } = observed([calling('work'), answering()], { tools: [work] })
  agent.on('afterToolCall', broken)
  await expect(agent.invoke('Go.')).rejects.toThrow('The hook broke.')
  const failure = failedWith('hook_failed')
  expect(tree()).toEqual([
    agentSpan('agent', {
      ...failure,
      with: { ...failure.with, ...tokens(10, 2) },
      children: [chatSpan(1, { with: ended('tool_use') }), toolSpan('work', 'call_1')],
    }),
  ])
})

it('tells of a hook that threw behind the run', async () => {
  const { agent, tree } = observed([answering()])
  agent.on('afterInvocation', broken)
  await expect(agent.invoke('Go.')).rejects.toThrow('The hook broke.')
  expect(tree()).toEqual([
    agentSpan('agent', {
      ...failedWith('hook_failed', undefined, { ...ended('end_turn'), 'lena.stop_reason': 'end_turn' }),
      children: [chatSpan(1, { with: ended('end_turn') })],
    }),
  ])
})

it('sees what hooks changed', async () => {
  const { agent, tree } = observed([calling('work', { a: 1 }), answering()], { tools: [work] }, { content: true })
  agent.on('beforeModelCall', (event) => void (event.request = { ...event.request, settings: { maxTokens: 7 } }))
  agent.on('beforeToolCall', (event) => void (event.input = { a: 2 }))
  agent.on('afterToolCall', (event) => void (event.result = { ...event.result, content: [{ type: 'text', text: 'changed' }] }))
  await agent.invoke('Go.')
  const [chat, call] = tree()[0]!.children!
  expect(chat!.attributes['gen_ai.request.max_tokens']).toBe(7)
  expect([call!.attributes['gen_ai.tool.call.arguments'], call!.attributes['gen_ai.tool.call.result']]).toEqual(['{"a":2}', 'changed'])
})

it('has no span for a model that a hook answered for', async () => {
  const { agent, tree } = observed([])
  agent.on('beforeModelCall', (event) => void (event.cancel = 'By the hook.'))
  await agent.invoke('Go.')
  expect(tree()).toEqual([agentSpan('agent', { with: { ...tokens(0, 0), 'lena.stop_reason': 'end_turn' } })])
})
