import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { permissions } from '../../src/permissions/permissions.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../../src/permissions/index.ts'
import { collect } from '../../src/testing/collect.ts'
import { concurrent } from '../../src/tools/strategies.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const calls = (...names: string[]) => ({ calls: names.map((name, index) => ({ name, input: { at: index + 1 } })) })
const wipe = () => toolNamed('wipe', ({ at }) => `wiped ${at}`, { isDestructive: true })
const asked: (request: ApprovalRequest) => string = ({ tool, input, reason }) => `${tool.name} ${JSON.stringify(input)}: ${reason}`

describe('who may run', () => {
  it('what only reads runs, the rest is asked for', async () => {
    const questions: string[] = []
    const { agent, model } = makeAgent([calls('look', 'write', 'wipe'), done, next], {
      tools: [look(), write(), wipe()],
      plugins: [
        permissions({
          ask: (request) => {
            questions.push(asked(request))
            return request.tool.name === 'write'
          },
        }),
      ],
    })
    const { events } = await collect(agent.stream('go'))
    expect(questions).toEqual(['write {"at":2}: It may change something.', 'wipe {"at":3}: What it does may not be undone.'])
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 success "seen 1" call_2 success "written 2" call_3 error/denied "The user did not allow this call of wipe."',
    )
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('nobody to ask: refused, with a reason that the model can read', async () => {
    const { agent } = makeAgent([calls('write', 'look'), done], { tools: [look(), write()], plugins: [permissions()] })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/denied "The call of write was refused: it needs the permission of a person, and there is nobody to ask. Do not try again; say what you would have done." call_2 success "seen 2"',
    )
  })

  it('a plain agent has no gate', async () => {
    const { agent } = makeAgent([calls('wipe'), done], { tools: [wipe()] })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "wiped 1"')
  })

  it('a read-only tool that may destroy is asked for', async () => {
    const { agent } = makeAgent([calls('odd'), done], {
      tools: [
        toolNamed('odd', () => 'ran', {
          isReadOnly: true,
          isDestructive: () => {
            throw new Error('?')
          },
        }),
      ],
      plugins: [permissions()],
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/denied/)
  })
})

describe('the answer', () => {
  it.each([
    [true, 'success "written 1"'],
    [false, 'error/denied "The user did not allow this call of write."'],
    [{ approved: true }, 'success "written 1"'],
    [{ approved: false }, 'error/denied "The user did not allow this call of write."'],
    [
      { approved: false, reason: 'Not on a Friday.' },
      'error/denied "The user did not allow this call of write. They said: Not on a Friday."',
    ],
    ...[undefined, null, 1, 'yes', {}, { approved: 'no' }, []].map((answer) => [
      answer,
      'error/denied "The user did not allow this call of write."',
    ]),
  ] as [ApprovalAnswer, string][])('%j', async (answer, result) => {
    const { agent } = makeAgent([calls('write'), done], { tools: [write()], plugins: [permissions({ ask: async () => answer })] })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 ${result}`)
  })

  it('always: holds for the tool from then on, in later runs too, but not for what cannot be undone', async () => {
    const questions: string[] = []
    const risky = toolNamed('risky', ({ at }) => `ran ${at}`, { isDestructive: ({ at }) => at === 3 })
    const { agent } = makeAgent([calls('risky', 'risky', 'risky', 'write'), done, calls('risky'), done], {
      tools: [risky, write()],
      plugins: [
        permissions({
          ask: (request) => {
            questions.push(asked(request))
            return 'always'
          },
        }),
      ],
    })
    await agent.invoke('go')
    await agent.invoke('again')
    expect(questions).toEqual([
      'risky {"at":1}: It may change something.',
      'risky {"at":3}: What it does may not be undone.',
      'write {"at":4}: It may change something.',
    ])
  })

  it('that fails: denied, and the run goes on', async () => {
    const { agent, model } = makeAgent([calls('write', 'look'), done, next], {
      tools: [write(), look()],
      plugins: [permissions({ ask: () => Promise.reject(new Error('no terminal')) })],
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/denied "The call was not run: permissions failed (no terminal)." call_2 success "seen 2"',
    )
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})

describe('asking', () => {
  it('is done one at a time, and what only reads does not wait for it', async () => {
    let open = 0
    let worst = 0
    const log: string[] = []
    const { agent } = makeAgent([calls('write', 'write', 'look'), done], {
      strategy: concurrent,
      tools: [look(({ at }) => (log.push(`look ${at}`), 'seen')), write(({ at }) => (log.push(`write ${at}`), 'written'))],
      plugins: [
        permissions({
          ask: async ({ input }) => {
            worst = Math.max(worst, ++open)
            await tick()
            log.push(`asked ${String(input['at'])}`)
            open--
            return true
          },
        }),
      ],
    })
    await agent.invoke('go')
    expect(worst).toBe(1)
    expect(log).toEqual(['look 3', 'asked 1', 'write 1', 'asked 2', 'write 2'])
  })

  it('ends with a cancel: the question that was asked is told, those that wait are not asked, and the next run is not held', async () => {
    const questions: number[] = []
    let told = false
    const { agent, model } = makeAgent([calls('write', 'write'), calls('write'), done, next], {
      strategy: concurrent,
      tools: [write()],
      plugins: [
        permissions({
          ask: ({ input, signal }) => {
            questions.push(Number(input['at']))
            if (questions.length > 1) return true
            signal.addEventListener('abort', () => (told = true))
            return new Promise<never>(() => {})
          },
        }),
      ],
    })
    const run = agent.invoke('go')
    await tick()
    agent.cancel('stop it')
    await settlesWithin(run, 5, 'the run')
    expect([told, questions]).toEqual([true, [1]])
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/cancelled "The call was cancelled." call_2 error/cancelled "The call was cancelled."',
    )
    await settlesWithin(agent.invoke('again'), 20, 'the next run')
    expect(sketch(agent.messages).at(-2)).toBe('user: call_3 success "written 1"')
    await holdsInvariant(agent, { requests: model.requests, expected: 3 })
  })
})

describe('options', () => {
  it.each([
    [
      { asks: () => true },
      'There is no option "asks" of permissions(). Did you mean "ask"? Known: mode, rules, workspace, host, ask, protected, remember, isPersisted, pathInputs.',
    ],
    [
      { ask: 'yes' },
      '`ask` must be "refuse", "interrupt" or a function that answers true, false, "always" or { approved, reason, input }.',
    ],
    [{ mode: 'plann' }, 'There is no permission mode "plann". Did you mean "plan"? Known: default, plan, accept_edits, bypass.'],
    [{ rules: 'deny shell' }, '`rules` must be a list, such as ["allow shell(npm test)"].'],
    [{ workspace: 1 }, '`workspace` must be the path of a folder.'],
    [{ protected: [''] }, '`protected` must be a list of patterns, such as ["deploy/**"].'],
    [{ remember: true }, '`remember` must be a function.'],
    [{ pathInputs: { x: 'y' } }, '`pathInputs` must be an object such as { my_tool: { key: "file", writes: true } }.'],
    [null, 'permissions() takes an object such as { ask: (request) => true }, or nothing, got null.'],
  ])('%j are refused', (options, message) => {
    expect(() => permissions(options as never)).toThrow(new InputError(message))
  })
})
