import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { todo, toolkit } from 'lena-agent/toolkit'
import { failureOf, workspaceWith } from './support/workspace.ts'

const plan = [
  { text: 'Read the code', status: 'done' },
  { text: 'Write the test', status: 'in_progress' },
  { text: 'Make it pass', status: 'pending' },
] as const

test('the plan is told while it changes, is kept in the state, and is the structured content of the result', async () => {
  const workspace = await workspaceWith()
  const model = scriptedModel(
    { calls: [{ name: 'todo', input: { todo: plan } }] },
    { calls: [{ name: 'todo', input: { todo: [] } }] },
    { text: 'done' },
  )
  const agent = new Agent({ model, tools: [toolkit({ workspace })] })
  const told: unknown[] = []
  const states: unknown[] = []
  const results: unknown[] = []
  await agent.invoke('Plan it.', {
    onEvent: (event) => {
      if (event.type === 'tool_progress') told.push(event.value)
      if (event.type !== 'tool_end') return
      results.push(event.result.structuredContent)
      states.push(structuredClone(agent.state))
    },
  })
  expect({ told, states, results }).toEqual({
    told: [{ todo: plan }, { todo: [] }],
    states: [{ todo: plan }, { todo: [] }],
    results: [{ todo: plan }, { todo: [] }],
  })
  expect(agent.messages.at(2)!.content).toMatchObject([
    {
      type: 'tool_result',
      content: [{ type: 'text', text: '1 of 3 steps done.\n[x] Read the code\n[>] Write the test\n[ ] Make it pass' }],
    },
  ])
})

test('the plan goes with the agent into a checkpoint', async () => {
  const model = scriptedModel({ calls: [{ name: 'todo', input: { todo: plan } }] }, { text: 'done' })
  const agent = new Agent({ model, tools: [todo()] })
  await agent.invoke('Plan it.')
  expect(JSON.parse(JSON.stringify(agent.state))).toEqual({ todo: plan })
})

test.each([
  [{ todo: 'no list' }],
  [{ todo: [{ text: 'x' }] }],
  [{ todo: [{ text: 'x', status: 'finished' }] }],
  [{ todo: [{ text: '', status: 'done' }] }],
  [{ todo: Array.from({ length: 101 }, () => plan[0]) }],
])('%j is no plan, and the one before stays', async (input) => {
  const model = scriptedModel({ calls: [{ name: 'todo', input: { todo: plan } }] }, { calls: [{ name: 'todo', input }] }, { text: 'done' })
  const agent = new Agent({ model, tools: [todo()] })
  await agent.invoke('Plan it.')
  expect(agent.state).toEqual({ todo: plan })
  expect(agent.messages.at(4)!.content).toMatchObject([{ type: 'tool_result', status: 'error', code: 'invalid_input' }])
})

test('called as a function it checks its input too, and keeps what belongs to a plan alone', async () => {
  const call = todo()
  const state = {}
  const context = { state, progress: async () => {} }
  expect(await failureOf(call({ todo: [{ text: 'a\nb', status: 'done' }] }, context))).toBe(
    'The text of item 1 must be one line of 1 to 500 characters. The plan was not changed.',
  )
  expect(await failureOf(call({ todo: [{ text: 'a', status: 'x' as 'done' }] }, context))).toBe(
    'The status of item 1 must be "pending", "in_progress" or "done". The plan was not changed.',
  )
  expect(state).toEqual({})
  await call({ todo: [{ text: ' a ', status: 'done', more: 1 } as never] }, context)
  expect(state).toEqual({ todo: [{ text: 'a', status: 'done' }] })
})
