import { expect, it } from 'vitest'
import { answering, calling, made, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, failedWith, toolSpan, useContext } from './support/telemetered.ts'
import type { SeenSpan } from './support/telemetered.ts'

useContext()

const run = (call: SeenSpan) => [
  agentSpan('agent', {
    with: { ...ended('end_turn', 20, 4), 'lena.stop_reason': 'end_turn' },
    children: [chatSpan(1, { with: ended('tool_use') }), call, chatSpan(2, { with: ended('end_turn') })],
  }),
]

it('names what a tool threw, and keeps its words to itself', async () => {
  const tools = [
    made('work', () => {
      throw new RangeError('The secret is 42.')
    }),
  ]
  const { agent, tree } = observed([calling('work'), answering()], { tools })
  await agent.invoke('Go.')
  expect(tree()).toEqual(run(toolSpan('work', 'call_1', failedWith('RangeError'))))
})

it('calls a result that says error a tool_error', async () => {
  const { agent, tree } = observed([calling('work'), answering()], { tools: [made('work', () => ({ status: 'error', content: 'No.' }))] })
  await agent.invoke('Go.')
  expect(tree()).toEqual(run(toolSpan('work', 'call_1', failedWith('tool_error'))))
})

it('has a span for a call that a hook did not allow', async () => {
  const { agent, tree } = observed([calling('work'), answering()], { tools: [made('work', () => 'ok')] })
  agent.on('beforeToolCall', (event) => void (event.cancel = 'Not today.'))
  await agent.invoke('Go.')
  expect(tree()).toEqual(run(toolSpan('work', 'call_1', failedWith('denied'))))
})

it('has a span for a call of a tool that there is not', async () => {
  const { agent, tree } = observed([calling('other'), answering()])
  await agent.invoke('Go.')
  const { 'gen_ai.tool.description': _, ...attributes } = toolSpan('other', 'call_1', failedWith('not_found')).attributes
  expect(tree()).toEqual(run({ name: 'execute_tool other', kind: 'INTERNAL', attributes, error: '' }))
})

it('keeps no more of a name than a tool may have', async () => {
  const { agent, spans } = observed([calling('x'.repeat(100_000)), answering()])
  await agent.invoke('Go.')
  const { name, attributes } = spans().find((span) => span.name.startsWith('execute_tool'))!
  expect([name, attributes['gen_ai.tool.name'], attributes['error.type']]).toEqual([
    `execute_tool ${'x'.repeat(64)}`,
    'x'.repeat(64),
    'not_found',
  ])
})

it('has a span for each time that hooks have a call run', async () => {
  let runs = 0
  const { agent, tree } = observed([calling('work'), answering()], {
    tools: [
      made('work', () => {
        if (++runs === 1) throw new Error('Not yet.')
        return 'ok'
      }),
    ],
  })
  agent.on('afterToolCall', (event) => void (event.retry = event.result.status === 'error'))
  await agent.invoke('Go.')
  expect(tree()[0]?.children?.slice(1, 3)).toEqual([toolSpan('work', 'call_1', failedWith('Error')), toolSpan('work', 'call_1')])
})

it('has a span of its own for a call that the program makes', async () => {
  const { agent, tree } = observed([], { tools: [made('work', () => 'ok')] })
  await agent.callTool('work', {})
  const { 'lena.turn': _, ...attributes } = toolSpan('work', 'call_1').attributes
  expect(tree()).toEqual([{ name: 'execute_tool work', kind: 'INTERNAL', attributes }])
})
