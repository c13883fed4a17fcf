import { expect, it } from 'vitest'
import { answer } from '../../src/interrupts/interrupt.ts'
import { answering, calling, made, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, toolSpan, useContext } from './support/telemetered.ts'

useContext()

const ask = made('ask', (_, context) => `They said ${context.interrupt<string>({ name: 'colour' })}.`)

it('has a span for the part before the answer and one behind it, linked', async () => {
  const { agent, tree } = observed([calling('ask'), answering()], { tools: [ask] })
  const { interrupts } = await agent.invoke('Go.')
  await agent.invoke([answer(interrupts[0]!, 'blue')])
  expect(tree()).toEqual([
    agentSpan('agent', {
      with: { ...ended('tool_use'), 'lena.stop_reason': 'interrupt' },
      children: [chatSpan(1, { with: ended('tool_use') }), toolSpan('ask', 'call_1', { with: { 'lena.interrupted': true } })],
    }),
    agentSpan('agent', {
      with: { ...ended('end_turn'), 'lena.stop_reason': 'end_turn' },
      linked: ['invoke_agent agent'],
      children: [toolSpan('ask', 'call_1'), chatSpan(2, { with: ended('end_turn') })],
    }),
  ])
})

it('takes a call that waits for approval as one that was interrupted', async () => {
  const { agent, tree } = observed([calling('risky'), answering()], {
    tools: [{ ...made('risky', () => 'ok'), name: 'risky', needsApproval: true, run: () => 'ok' }],
  })
  await agent.invoke('Go.')
  expect(tree()[0]?.children?.at(-1)).toEqual(toolSpan('risky', 'call_1', { with: { 'lena.interrupted': true } }))
})
