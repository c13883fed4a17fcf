import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import type { GateRequest, GateVerdict } from '../../src/tools/gate.ts'
import { tool } from '../../src/tools/tool.ts'
import { tick } from '../../src/util/clock.ts'
import { z } from 'zod'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }

describe('a gate', () => {
  it('sees exactly what will run, behind the hooks and the middleware', async () => {
    const judged: unknown[] = []
    const got: unknown[] = []
    const { agent } = makeAgent([callsLook, done], {
      tools: [
        look(),
        tool({
          name: 'write',
          description: 'Writes.',
          inputSchema: z.object({ at: z.number(), mode: z.string().default('careful') }),
          isDestructive: ({ mode }) => mode === 'careful',
          execute: (input) => {
            got.push(input)
            return 'written'
          },
        }),
      ],
    })
    agent.on('beforeToolCall', (event) => void (event.input = { at: 2 }))
    agent.use('tool', async function* (call, next) {
      return yield* next({ ...call, tool: call.context.agent.tools.get('write')!, input: { at: Number(call.input['at']) + 1 } })
    })
    agent.guard({
      name: 'notary',
      judge: ({ tool: { name }, input, flags, toolUse }) => {
        judged.push({ name, input, flags, toolUse, frozen: Object.isFrozen(input) })
        return { decision: 'allow' }
      },
    })
    await agent.invoke('go')
    expect(judged).toEqual([
      {
        name: 'write',
        input: { at: 3 },
        flags: { readOnly: false, destructive: true, safe: false, approval: false },
        toolUse: { id: 'call_1', name: 'write' },
        frozen: true,
      },
    ])
    expect(got).toEqual([{ at: 3, mode: 'careful' }])
  })

  it.each([
    ['denies', () => ({ decision: 'deny', reason: 'Not here.' }), 'Not here.'],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
      'The call was not run: notary failed (broken).',
    ],
    ['rejects', () => Promise.reject(new Error('broken')), 'The call was not run: notary failed (broken).'],
    ['says nothing', () => undefined, 'The call was not run: notary gave no verdict.'],
    ['says something else', () => ({ decision: 'maybe' }), 'The call was not run: notary gave no verdict.'],
    ['says true', () => true, 'The call was not run: notary gave no verdict.'],
  ] as [string, () => GateVerdict, string][])('that %s keeps the call from running, and the model reads why', async (_how, judge, text) => {
    let ran = 0
    const { agent, model } = makeAgent([callsLook, done, next], { tools: [look(() => ++ran)] })
    agent.guard({ name: 'notary', judge })
    const { events } = await collect(agent.stream('go'))
    expect(ran).toBe(0)
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 error/denied ${JSON.stringify(text)}`)
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('is one of several, which must all allow; those behind a refusal are not asked', async () => {
    const asked: string[] = []
    const { agent } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }, done], {
      tools: [look()],
      maxConcurrency: 1,
    })
    for (const name of ['a', 'b']) {
      agent.guard({
        name,
        judge: ({ input }) => {
          asked.push(`${name} ${String(input['at'])}`)
          return input['at'] === 1 ? { decision: 'allow' } : { decision: 'deny', reason: `${name} says no` }
        },
      })
    }
    await agent.invoke('go')
    expect(asked).toEqual(['a 1', 'b 1', 'a 2'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen 1" call_2 error/denied "a says no"')
  })

  it('is asked again for each run of the call', async () => {
    const judged: GateRequest['toolUse'][] = []
    const { agent } = makeAgent([callsLook, done], { tools: [look()] })
    agent.guard({
      name: 'notary',
      judge: ({ toolUse }) => (
        judged.push(toolUse),
        judged.length > 1 ? { decision: 'deny', reason: 'Once is enough.' } : { decision: 'allow' }
      ),
    })
    let retries = 0
    agent.on('afterToolCall', (event) => void (event.retry = ++retries === 1))
    await agent.invoke('go')
    expect(judged.length).toBe(2)
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "Once is enough."')
  })

  it('is not asked for calls that cannot run', async () => {
    const judged: string[] = []
    const { agent } = makeAgent(
      [
        {
          calls: [
            { name: 'nothing', input: {} },
            { name: 'look', input: {} },
          ],
        },
        done,
      ],
      { tools: [look()] },
    )
    agent.guard({ name: 'notary', judge: ({ toolUse }) => (judged.push(toolUse.name), { decision: 'allow' }) })
    await agent.invoke('go')
    expect(judged).toEqual([])
  })

  it('that is cut off by a cancel denies: nothing has run', async () => {
    let ran = 0
    const { agent, model } = makeAgent([{ calls: [{ name: 'write', input: { at: 1 } }] }, next], { tools: [write(() => ++ran)] })
    agent.guard({ name: 'notary', judge: () => new Promise(() => {}) })
    const run = agent.invoke('go')
    await tick()
    agent.cancel('stop it')
    await settlesWithin(run, 5, 'the run')
    expect(ran).toBe(0)
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/cancelled "The call was cancelled."')
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('is taken away by the function that comes back', async () => {
    const { agent } = makeAgent([callsLook, done, callsLook, done], { tools: [look()] })
    const off = agent.guard({ name: 'notary', judge: () => ({ decision: 'deny', reason: 'No.' }) })
    await agent.invoke('go')
    off()
    off()
    await agent.invoke('go')
    expect(sketch(agent.messages).filter((line) => line.startsWith('user: call'))).toEqual([
      'user: call_1 error/denied "No."',
      'user: call_2 success "seen 1"',
    ])
  })

  it('is an object with judge()', () => {
    const { agent } = makeAgent([])
    for (const [gate, got] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [{}, 'an object'],
      [() => ({ decision: 'allow' }), 'a function'],
    ] as const)
      expect(() => agent.guard(gate as never)).toThrow(new InputError(`A gate is an object { name, judge(request) }, got ${got}.`))
  })
})
