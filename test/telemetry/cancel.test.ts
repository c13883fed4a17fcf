import { expect, it } from 'vitest'
import { answering, calling, made, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, failedWith, toolSpan, tokens, useContext } from './support/telemetered.ts'

useContext()

it('ends the span of a call that a cancel cut, and of one that does not listen', async () => {
  const deaf = made('deaf', async (_, context) => {
    context.agent.cancel('Enough.')
    await new Promise(() => {})
  })
  const { agent, tree } = observed([calling('deaf'), answering()], { tools: [{ ...deaf, name: 'deaf', run: deaf.run, settleMs: 0 }] })
  await agent.invoke('Go.')
  expect(tree()).toEqual([
    agentSpan('agent', {
      with: { ...tokens(10, 2), 'lena.stop_reason': 'cancelled' },
      children: [chatSpan(1, { with: ended('tool_use') }), toolSpan('deaf', 'call_1', failedWith('cancelled'))],
    }),
  ])
})

it.each([true, 'deaf'] as const)('ends the span of a model that hangs (%s)', async (hang) => {
  const { agent, tree } = observed([{ text: 'One two three.', hang, after: 4 }])
  await agent.invoke('Go.', { onEvent: ({ type }) => void (type === 'text_delta' && agent.cancel('Enough.')) })
  expect(tree()).toEqual([
    agentSpan('agent', {
      with: { ...tokens(0, 0), 'lena.stop_reason': 'cancelled' },
      children: [chatSpan(1, failedWith('cancelled'))],
    }),
  ])
})
