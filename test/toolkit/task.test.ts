import { describe, expect, test } from 'vitest'
import { Agent, answer, Budget } from 'lena-agent'
import type { Model, ModelRequest, Tool } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { task, toolkit } from 'lena-agent/toolkit'
import type { TaskAgent } from 'lena-agent/toolkit'
import { deferred } from '../support/promises.ts'
import { sketch } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { failureOf, workspaceWith } from './support/workspace.ts'

type Call = { readonly name: string; readonly input: Record<string, string | number> }
type Step = { readonly text: string } | { readonly calls: readonly Call[] }
const hand = (...tasks: readonly string[]): Step => ({ calls: tasks.map((task) => ({ name: 'task', input: { task } })) })
const kind = (agent: string, task = 'go'): Step => ({ calls: [{ name: 'task', input: { task, agent } }] })

/** The results of a message, without the ids of their calls. */
const resultIn = (agent: Agent, index: number): string => sketch(agent.messages)[index]!.replace(/call_\w+ /g, '')

/** What the conversation was begun with. */
const promptOf = ({ messages }: { readonly messages: readonly { readonly content: readonly object[] }[] }): string => {
  const { text = '' } = messages[0]!.content[0] as { readonly text?: string }
  return text
}

/** A model whose conversations each follow a script of their own, chosen by what they were begun with. */
function modelBy(scripts: Readonly<Record<string, readonly Step[]>>, requests: ModelRequest[] = []): Model {
  return {
    provider: 'm',
    id: 'm',
    async *stream(request) {
      requests.push(request)
      const script = scripts[promptOf(request)]
      const said = request.messages.filter(({ role }) => role === 'assistant').length
      const step = script?.[said] ?? { text: `no script for ${promptOf(request)}` }
      if ('text' in step) {
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: step.text } }
        yield { type: 'message_stop', stopReason: 'end_turn' }
        return
      }
      for (const [index, { name, input }] of step.calls.entries()) {
        yield { type: 'block_start', index, block: { type: 'tool_use', name } }
        yield { type: 'block_delta', index, delta: { type: 'tool_input', text: JSON.stringify(input) } }
        yield { type: 'block_stop', index }
      }
      yield { type: 'message_stop', stopReason: 'tool_use' }
    },
  }
}

const agentWith = (model: Model, tools: readonly Tool[], rest: object = {}) => new Agent({ model, tools, retry: false, ...rest })

describe('a task', { timeout: 60_000 }, () => {
  test('is a conversation of its own with the same tools, and its last words are the result', async () => {
    const requests: ModelRequest[] = []
    const model = modelBy(
      { start: [hand('count'), { text: 'Done.' }], count: [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Three.' }] },
      requests,
    )
    const agent = agentWith(model, [look(), task()])
    expect((await agent.invoke('start')).text).toBe('Done.')
    expect(resultIn(agent, 2)).toBe('user: success "Three."')
    expect(requests.map((request) => [promptOf(request), request.tools.map(({ name }) => name)])).toEqual([
      ['start', ['look', 'task']],
      ['count', ['look', 'task']],
      ['count', ['look', 'task']],
      ['start', ['look', 'task']],
    ])
  })

  test('has the model, the tools and the instructions of its kind, and so have those below it', async () => {
    const requests: ModelRequest[] = []
    const small = modelBy(
      { inner: [{ calls: [{ name: 'task', input: { task: 'deeper' } }] }, { text: 'b' }], deeper: [{ text: 'c' }] },
      requests,
    )
    const only = write()
    const agents: Record<string, TaskAgent> = {
      explore: { description: 'Only looks.', model: small, tools: ['look', 'task', only], instructions: 'Look well.' },
    }
    const main = scriptedModel(kind('explore', 'inner'), { text: 'a' })
    const agent = agentWith(main, [look(), task({ agents })], { instructions: 'Be kind.' })
    expect((await agent.invoke('start')).text).toBe('a')
    expect(requests.map(({ tools, system }) => [tools.map(({ name }) => name), system])).toEqual(
      requests.map(() => [['look', 'task', 'write'], [{ type: 'text', text: 'Look well.' }]]),
    )
    expect(requests.map(promptOf)).toEqual(['inner', 'deeper', 'inner'])
    expect(main.requests.map(({ system }) => system)).toEqual([[{ type: 'text', text: 'Be kind.' }], [{ type: 'text', text: 'Be kind.' }]])
    expect(agent.tools.get('task')!.description).toMatch(/Kinds of agents:\n- explore: Only looks\.$/)
    expect(agent.tools.get('task')!.inputSchema).toMatchObject({ properties: { agent: { enum: ['explore'] } } })
  })

  test('of a toolkit has its own working folder and knowledge of files; what it changes can be undone', async () => {
    const workspace = await workspaceWith({ 'a.txt': 'one\n', 'sub/x': '' })
    const shell = (command: string): Call => ({ name: 'shell', input: { command } })
    const model = modelBy({
      start: [{ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }, hand('inner'), { calls: [shell('pwd')] }, { text: 'end' }],
      inner: [
        { calls: [shell('cd sub')] },
        { calls: [{ name: 'edit_file', input: { path: 'a.txt', old: 'one', new: 'two' } }] },
        { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
        { calls: [{ name: 'edit_file', input: { path: 'a.txt', old: 'one', new: 'two' } }] },
        { text: 'ok' },
      ],
    })
    const kit = toolkit({ workspace })
    const inner: string[] = []
    const agent = agentWith(model, kit)
    agent.on('afterToolCall', ({ toolUse, result, agent: { messages } }) => {
      if (JSON.stringify(messages[0]).includes('inner')) inner.push(`${toolUse.name} ${result.status}`)
    })
    await agent.invoke('start')
    expect(inner).toEqual(['shell success', 'edit_file error', 'read_file success', 'edit_file success'])
    expect(resultIn(agent, 6)).toBe(`user: success "exit_code: 0\\n${workspace}"`)
    const { undoLast } = await import('lena-agent/toolkit')
    expect(await undoLast(kit.undo)).toMatchObject({ path: `${workspace}/a.txt` })
  })

  test('a tool of the user under a name of the toolkit stays', async () => {
    const requests: ModelRequest[] = []
    const model = modelBy({ start: [hand('inner'), { text: 'x' }], inner: [{ text: 'ok' }] }, requests)
    const agent = agentWith(model, toolkit({ workspace: await workspaceWith() }))
    agent.tools.replace({ name: 'shell', description: 'Mine.', inputSchema: { type: 'object' }, run: () => '' })
    await agent.invoke('start')
    expect(requests[1]!.tools.find(({ name }) => name === 'shell')!.description).toBe('Mine.')
  })
})

describe('the gate', () => {
  test('holds in every depth, and asks once for each call', async () => {
    const model = modelBy({
      start: [hand('one'), { text: 'x' }],
      one: [hand('two'), { text: 'x' }],
      two: [{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'May not.' }],
    })
    const asked: string[] = []
    const gate = permissions({ ask: ({ tool }) => (asked.push(tool.name), false) })
    let written = false
    const agent = agentWith(model, [write(() => void (written = true)), task()], { plugins: [gate] })
    await agent.invoke('start')
    expect({ asked, written }).toEqual({ asked: ['write'], written: false })
  })

  test('may ask a person by an interrupt, and the task goes on with the answer', async () => {
    const model = modelBy({
      start: [hand('one'), { text: 'x' }],
      one: [{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Written.' }],
    })
    let written = 0
    const agent = agentWith(model, [write(() => void written++), task()], { plugins: [permissions({ ask: 'interrupt' })] })
    const asked = await agent.invoke('start')
    expect({ stopReason: asked.stopReason, names: asked.interrupts.map(({ name }) => name), written }).toEqual({
      stopReason: 'interrupt',
      names: ['approval'],
      written: 0,
    })
    const result = await agent.invoke([answer(asked.interrupts[0]!, true)])
    expect({ text: result.text, task: resultIn(agent, 2), written }).toEqual({ text: 'x', task: 'user: success "Written."', written: 1 })
  })

  test.each([
    ['plan', [], true],
    ['default', [], true],
    ['default', ['deny task'], false],
    ['bypass', ['ask task'], false],
  ] as const)('in mode %s with the rules %j a task begins: %s', async (mode, rules, begins) => {
    const requests: ModelRequest[] = []
    const model = modelBy({ start: [hand('one'), { text: 'x' }], one: [{ text: 'ok' }] }, requests)
    await agentWith(model, [task()], { plugins: [permissions({ mode, rules })] }).invoke('start')
    expect(requests.some((request) => promptOf(request) === 'one')).toBe(begins)
  })
})

describe('bounds', () => {
  test('the fourth level is refused', async () => {
    const model = modelBy({
      start: [hand('one'), { text: 'x' }],
      one: [hand('two'), { text: 'x' }],
      two: [hand('three'), { text: 'x' }],
      three: [hand('four'), { text: 'x' }],
      four: [{ text: 'never' }],
    })
    const results: string[] = []
    const agent = agentWith(model, [task()])
    agent.on('afterToolCall', ({ agent: { messages }, result }) => {
      const said = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      results.push(`${promptOf({ messages })} ${result.status} ${said}`)
    })
    await agent.invoke('start')
    expect(results).toEqual([
      'three error Error: Sub-agents go 3 deep, and this is the last. Do the task yourself.',
      'two success x',
      'one success x',
      'start success x',
    ])
  })

  test('as many as may be are at work at once; the rest of one message waits', async () => {
    let now = 0
    let most = 0
    const gate = deferred()
    const full = deferred()
    const model: Model = {
      provider: 'm',
      id: 'm',
      async *stream(request) {
        if (promptOf(request) === 'start')
          return yield* modelBy({ start: [hand('a', 'b', 'c', 'd', 'e'), { text: 'end' }] }).stream(request, {} as never)
        most = Math.max(most, ++now)
        if (now === 2) full.resolve()
        await gate.promise
        now--
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'ok' } }
        yield { type: 'message_stop', stopReason: 'end_turn' }
      },
    }
    const agent = agentWith(model, [task({ maxAtOnce: 2 })])
    const running = agent.invoke('start')
    await full.promise
    gate.resolve()
    await running
    expect({ most, results: sketch(agent.messages)[2]!.match(/success "ok"/g)?.length }).toEqual({ most: 2, results: 5 })
  })

  test('below the first level there is no waiting: whoever waits holds a place', async () => {
    const model = modelBy({ start: [hand('one'), { text: 'x' }], one: [hand('two'), { text: 'alone' }], two: [{ text: 'never' }] })
    const agent = agentWith(model, [task({ maxAtOnce: 1 })])
    const refused: string[] = []
    agent.on('afterToolCall', ({ result }) => void (result.status === 'error' && refused.push(JSON.stringify(result.content))))
    await agent.invoke('start')
    expect(resultIn(agent, 2)).toBe('user: success "alone"')
    expect(refused).toEqual([
      expect.stringContaining('1 sub-agents are at work already, which is as many as there may be. Do the task yourself.'),
    ])
  })

  test('a place is free again however a task ends', async () => {
    const model = modelBy({ start: [hand('bad'), hand('good'), { text: 'x' }], good: [{ text: 'ok' }] })
    const failing: Model = {
      provider: 'm',
      id: 'm',
      stream: (request, options) => {
        if (promptOf(request) === 'bad') throw new Error('down')
        return model.stream(request, options)
      },
    }
    const agent = agentWith(failing, [task({ maxAtOnce: 1 })])
    await agent.invoke('start')
    expect([resultIn(agent, 2), resultIn(agent, 4)]).toEqual([expect.stringMatching(/error .*down/), 'user: success "ok"'])
  })
})

describe('a cancel', () => {
  /** Each conversation with this prompt goes on until it is cancelled. */
  const hanging = (prompt: string, scripts: Readonly<Record<string, readonly Step[]>>) => {
    const reached: string[] = []
    const begun = deferred()
    const base = modelBy(scripts)
    const model: Model = {
      provider: 'm',
      id: 'm',
      async *stream(request, options) {
        if (promptOf(request) !== prompt) return yield* base.stream(request, options)
        begun.resolve()
        await new Promise<void>((resolve) => options.signal.addEventListener('abort', () => (reached.push(prompt), resolve())))
        throw new Error('cut')
      },
    }
    return { model, reached, begun: begun.promise }
  }
  const cancelled = (agent: Agent): number => sketch(agent.messages)[2]!.match(/error\/cancelled/g)?.length ?? 0

  test('reaches the deepest', async () => {
    const { model, reached, begun } = hanging('two', { start: [hand('one'), { text: 'never' }], one: [hand('two'), { text: 'never' }] })
    const agent = agentWith(model, [task()])
    const running = agent.invoke('start')
    await begun
    agent.cancel('enough')
    expect((await running).stopReason).toBe('cancelled')
    expect({ reached, results: cancelled(agent) }).toEqual({ reached: ['two'], results: 1 })
  })

  test('reaches those who wait for a place', async () => {
    const { model, reached, begun } = hanging('one', {
      start: [hand('one', 'waits', 'waits'), { text: 'never' }],
      waits: [{ text: 'never' }],
    })
    const agent = agentWith(model, [task({ maxAtOnce: 1 })])
    const running = agent.invoke('start')
    await begun
    agent.cancel('enough')
    expect((await running).stopReason).toBe('cancelled')
    expect({ reached, results: cancelled(agent) }).toEqual({ reached: ['one'], results: 3 })
  })
})

test('the budget is shared', async () => {
  const budget = new Budget({ turns: 3 })
  const model = modelBy({ start: [hand('one'), { text: 'never' }], one: [hand('two'), { text: 'never' }], two: [{ text: 'ok' }] })
  const result = await agentWith(model, [task()]).invoke('start', { budget })
  expect({ stopReason: result.stopReason, turns: budget.spent.turns }).toEqual({ stopReason: 'limit_turns', turns: 3 })
})

describe('what cannot be', () => {
  test.each([
    [{ agents: { a: {} } }, 'The kind of agent "a" needs a description: the model chooses by it.'],
    [
      { agents: { a: { description: 'x', tools: 'grep' } } },
      'toolkit({ agents.a.tools }): expected a list of names and tools, got "grep".',
    ],
    [{ agents: null }, "`agents` must be an object such as { explore: { description: 'Only looks.', tools: ['grep'] } }."],
    [{ maxDepth: 0 }, 'task({ maxDepth }): expected a whole number, at least 1, got 0.'],
    [{ maxAtOnce: 1.5 }, 'task({ maxAtOnce }): expected a whole number, at least 1, got 1.5.'],
  ])('%j is refused at the door', (options, message) => {
    expect(() => task(options as never)).toThrow(message)
  })

  test('a kind that is not there, and one whose tools are not there', async () => {
    const agents = { explore: { description: 'Only looks.', tools: ['nosuch'] } }
    const agent = agentWith(scriptedModel({ text: 'x' }), [task({ agents })])
    const run = agent.tools.get('task')!.run
    const context = { agent, signal: new AbortController().signal, toolUse: { id: 'c', name: 'task', input: {} } } as never
    expect(await failureOf(run({ task: 'a', agent: 'exploer' }, context))).toBe(
      'There is no kind of agent "exploer". Did you mean "explore"? Known: explore.',
    )
    expect(await failureOf(run({ task: 'a', agent: 'explore' }, context))).toBe(
      'The kind of agent is to have the tool "nosuch", and the agent that calls it has none of that name. Take another kind.',
    )
    expect(await failureOf(run({ task: ' ' }, context))).toBe('The task is empty. Say in full what is to be done.')
  })
})
