import { expect, it } from 'vitest'
import { answer } from '../../src/interrupts/interrupt.ts'
import { Agent } from '../../src/agent/agent.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { answering, calling, made, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, toolSpan, useContext } from './support/telemetered.ts'

useContext()

const below = { 'gen_ai.conversation.id': 'conv_1>call_1' }
const whole = (more: object = {}) => ({ ...ended('end_turn'), 'lena.stop_reason': 'end_turn', ...more })

it('has the span of a sub-agent in that of the call', async () => {
  const { agent, plugin, tree } = observed([calling('helper', { input: 'Look.' }), answering()], {})
  const helper = new Agent({ name: 'helper', description: 'Works.', model: scriptedModel(answering('Seen.')), plugins: [plugin] })
  agent.tools.add(helper.asTool())
  await agent.invoke('Go.')
  expect(tree()).toEqual([
    agentSpan('agent', {
      with: { ...ended('end_turn', 20, 4), 'lena.stop_reason': 'end_turn' },
      children: [
        chatSpan(1, { with: ended('tool_use') }),
        toolSpan('helper', 'call_1', {
          children: [
            agentSpan('helper', {
              with: whole({ ...below, 'gen_ai.agent.description': 'Works.' }),
              children: [chatSpan(1, { with: { ...ended('end_turn'), ...below } })],
            }),
          ],
        }),
        chatSpan(2, { with: ended('end_turn') }),
      ],
    }),
  ])
})

it('keeps those apart that run side by side', async () => {
  const { agent, plugin, tree } = observed([
    { calls: [1, 2, 3].map((n) => ({ name: 'helper', input: { input: `Look at ${n}.` } })) },
    answering(),
  ])
  const work = made('work', async ({ n }) => {
    await new Promise((resolve) => setImmediate(resolve))
    return String(n)
  })
  const model = scriptedModel(...[1, 2, 3].map(() => calling('work')), ...[1, 2, 3].map(() => answering('Seen.')))
  agent.tools.add(
    new Agent({
      name: 'helper',
      description: 'Works.',
      model,
      tools: [{ ...work, name: 'work', run: work.run }],
      plugins: [plugin],
    }).asTool(),
  )
  await agent.invoke('Go.')
  const calls = tree()[0]!.children!.filter(({ name }) => name === 'execute_tool helper')
  const shape = ({ name, children }: (typeof calls)[number]): unknown => (children ? [name, children.map(shape)] : name)
  expect(calls.map(shape)).toEqual(
    [1, 2, 3].map(() => ['execute_tool helper', [['invoke_agent helper', ['chat scripted', 'execute_tool work', 'chat scripted']]]]),
  )
})

it('takes what a sub-agent asks as a call that was interrupted', async () => {
  const { agent, plugin, tree } = observed([calling('helper', { input: 'Look.' }), answering()])
  const ask = made('ask', (_, context) => context.interrupt<string>({ name: 'colour' }))
  const model = scriptedModel(calling('ask'), answering('Seen.'))
  agent.tools.add(new Agent({ name: 'helper', description: 'Works.', model, tools: [ask], plugins: [plugin] }).asTool())
  const { interrupts } = await agent.invoke('Go.')
  await agent.invoke([answer(interrupts[0]!, 'blue')])
  const names = (spans: ReturnType<typeof tree>): unknown =>
    spans.map(({ name, attributes, children = [] }) => [
      name,
      attributes['lena.interrupted'] ?? attributes['lena.stop_reason'],
      names(children),
    ])
  expect(names(tree())).toEqual([
    [
      'invoke_agent agent',
      'interrupt',
      [
        ['chat scripted', undefined, []],
        [
          'execute_tool helper',
          true,
          [
            [
              'invoke_agent helper',
              'interrupt',
              [
                ['chat scripted', undefined, []],
                ['execute_tool ask', true, []],
              ],
            ],
          ],
        ],
      ],
    ],
    [
      'invoke_agent agent',
      'end_turn',
      [
        [
          'execute_tool helper',
          undefined,
          [
            [
              'invoke_agent helper',
              'end_turn',
              [
                ['execute_tool ask', undefined, []],
                ['chat scripted', undefined, []],
              ],
            ],
          ],
        ],
        ['chat scripted', undefined, []],
      ],
    ],
  ])
})
