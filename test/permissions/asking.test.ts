import { afterAll, describe, expect, it } from 'vitest'
import { answer } from '../../src/interrupts/interrupt.ts'
import type { ApprovalRequest, PermissionOptions, Rule } from '../../src/permissions/index.ts'
import { permissions } from '../../src/permissions/index.ts'
import { shell } from '../../src/toolkit/index.ts'
import { makePlace } from '../security/judge.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { write } from '../support/tools.ts'

const place = makePlace()
afterAll(place.remove)
const { workspace } = place
const done = { text: 'Done.' }
const run = (...commands: string[]) => ({ calls: commands.map((command) => ({ name: 'shell', input: { command } })) })

async function ask(commands: string[], options: PermissionOptions = {}) {
  const questions: ApprovalRequest[] = []
  const kept: Rule[] = []
  const gate = permissions({
    workspace,
    remember: (rule) => void kept.push(rule),
    ask: (request) => (questions.push(request), 'always'),
    ...options,
  })
  const { agent } = makeAgent([...commands.map((command) => run(command)), done], { tools: [shell({ workspace })], plugins: [gate] })
  await agent.invoke('go')
  return { asked: questions.map(({ input }) => input['command']), kept, gate }
}

describe('always', () => {
  it('remembers the very commands of a line, and only those', async () => {
    const { asked, kept, gate } = await ask(['true x && touch a', 'touch a', 'touch b', 'touch a; touch b'])
    const rules = ['touch a', 'touch b'].map((pattern) => ({ decision: 'allow', tool: 'shell', pattern }))
    expect(asked).toEqual(['true x && touch a', 'touch b'])
    expect(kept).toEqual(rules)
    expect(gate.rules).toEqual(rules)
  })

  it('remembers nothing of what cannot be named or undone', async () => {
    const line = 'touch "$X"a'
    const { asked, kept } = await ask([line, line, 'echo x > c', 'echo x > c'])
    expect(asked).toEqual([line, line, 'echo x > c', 'echo x > c'])
    expect(kept).toEqual([])
  })

  it('that cannot be kept: the call is refused with the reason', async () => {
    const { agent } = makeAgent([run('touch d'), done], {
      tools: [shell({ workspace })],
      plugins: [permissions({ workspace, ask: () => 'always', remember: () => Promise.reject(new Error('disk full')) })],
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "The call was not run: permissions failed (disk full)."')
  })
})

it('the answer may change what runs', async () => {
  const { agent } = makeAgent([{ calls: [{ name: 'write', input: { at: 1 } }] }, done], {
    tools: [write()],
    plugins: [permissions({ workspace, ask: () => ({ approved: true, input: { at: 7 } }) })],
  })
  await agent.invoke('go')
  expect(sketch(agent.messages)[2]).toBe(
    'user: call_1 success "written 7" "The person who approved this call had it run with another input: {\\"at\\":7}"',
  )
})

it('by interrupt: the run ends with all questions, and goes on with the answers', async () => {
  const { agent } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'write', input: { at } })) }, done], {
    tools: [write()],
    plugins: [permissions({ workspace, ask: 'interrupt' })],
  })
  const first = await agent.invoke('go')
  expect(first.interrupts.map(({ name, reason }) => [name, reason])).toEqual(
    [1, 2].map(() => ['approval', { text: 'It may change something.', always: ['allow write'] }]),
  )
  await agent.invoke(first.interrupts.map((interrupt, index) => answer(interrupt, index === 0)))
  expect(sketch(agent.messages)[2]).toBe(
    'user: call_1 success "written 1" call_2 error/denied "The user did not allow this call of write."',
  )
})

it('the mode and the rules may change while it stands', async () => {
  const gate = permissions({ workspace, mode: 'plan' })
  const { agent } = makeAgent(
    [{ calls: [{ name: 'write', input: { at: 1 } }] }, done, { calls: [{ name: 'write', input: { at: 2 } }] }, done],
    {
      tools: [write()],
      plugins: [gate],
    },
  )
  await agent.invoke('go')
  gate.mode = 'bypass'
  await agent.invoke('go')
  gate.add('deny write')
  expect([sketch(agent.messages)[2], sketch(agent.messages)[6], gate.mode]).toEqual([
    'user: call_1 error/denied "The call of write was refused: in plan mode only what reads may run. Say what you would do instead."',
    'user: call_2 success "written 2"',
    'bypass',
  ])
  expect(() => (gate.mode = 'all' as never)).toThrow('There is no permission mode "all".')
})
