import { describe, expect, it } from 'vitest'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import { collect } from '../../../src/testing/collect.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { scheduled } from '../../../src/tools/strategies.ts'
import type { ToolStrategy } from '../../../src/tools/strategies.ts'
import type { Tool, ToolTraits } from '../../../src/tools/tool.ts'
import { quiet } from '../../support/hand-model.ts'
import { makeAgent } from '../../support/make-agent.ts'
import type { Deferred } from '../../support/promises.ts'
import { deferred } from '../../support/promises.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const later = async <T>(answer: T): Promise<T> => {
  await quiet()
  return answer
}
const fail = (): Promise<never> => later(0).then(() => Promise.reject(new Error('no')))

/** Tools whose calls end when the test says so; which run is known at any time. */
function held() {
  const running = new Map<number, Deferred<string>>()
  const started: number[] = []
  const execute = ({ at }: AtInput): Promise<string> => {
    started.push(at)
    const end = deferred<string>()
    running.set(at, end)
    return end.promise
  }
  return {
    make: (name: string, traits: ToolTraits<AtInput>) => toolNamed(name, execute, traits),
    started,
    running: () => [...running.keys()],
    end: async (at: number): Promise<void> => {
      running.get(at)!.resolve(`did ${at}`)
      running.delete(at)
      for (let i = 0; i < 8; i++) await quiet()
    },
  }
}

/** Runs calls of these tools, given by their names, the first on 1, and ends those that run, newest first. Gives what ran at each step. */
async function steps(
  tools: (make: ReturnType<typeof held>['make']) => readonly Tool[],
  names: string,
  options: Partial<AgentOptions> = {},
) {
  const { make, running, end } = held()
  const calls = names.split(' ').map((name, index) => ({ name, input: { at: index + 1 } }))
  const { agent } = makeAgent([{ calls }, { text: 'Done.' }], { tools: tools(make), ...options })
  const collecting = collect(agent.stream('go'))
  for (let i = 0; i < 8; i++) await quiet()
  const seen: (readonly number[])[] = []
  while (running().length > 0) {
    seen.push(running())
    await end(running().at(-1)!)
  }
  const { events, result } = await collecting
  expect([result?.stopReason, checkEvents(events)]).toEqual(['end_turn', []])
  expect(sketch(agent.messages)[2]).toBe(`user: ${calls.map(({ input: { at } }) => `call_${at} success "did ${at}"`).join(' ')}`)
  return seen
}

const slow = {
  look: { isReadOnly: () => later(true), isConcurrencySafe: () => later(true) },
  write: { isReadOnly: () => later(false), isConcurrencySafe: () => later(false) },
  edit: { isConcurrencySafe: ({ at }) => later(at % 2 === 0 ? 'even' : 'odd') },
} satisfies Record<string, ToolTraits<AtInput>>

describe('calls whose flags are promises', () => {
  const tools = (make: ReturnType<typeof held>['make']): readonly Tool[] => [
    make('look', slow.look),
    make('write', slow.write),
    make('edit', slow.edit),
    make('fast', { isReadOnly: true, isConcurrencySafe: true }),
  ]
  it.each<[string, string, readonly (readonly number[])[]]>([
    ['run side by side where they are safe', 'look look look', [[1, 2, 3], [1, 2], [1]]],
    ['run beside others that are', 'fast look fast', [[1, 2, 3], [1, 2], [1]]],
    ['run alone, and are not overtaken, where they are not', 'look write look fast', [[1], [2], [3, 4], [3]]],
    ['run one after the other where they have one key', 'edit edit edit', [[1, 2], [1], [3]]],
  ])('%s', async (_what, names, expected) => expect(await steps(tools, names)).toEqual(expected))
})

describe('the careful answer', () => {
  it.each<[string, ToolTraits<AtInput>]>([
    ['rejects', { isReadOnly: () => later(true), isConcurrencySafe: fail }],
    ['gives what is no flag', { isReadOnly: () => later(true), isConcurrencySafe: () => later(1 as unknown as boolean) }],
  ])('is that a call runs alone when a flag %s', async (_what, odd) => {
    const tools = (make: ReturnType<typeof held>['make']): readonly Tool[] => [make('look', slow.look), make('odd', odd)]
    expect(await steps(tools, 'look odd look look')).toEqual([[1], [2], [3, 4], [3]])
  })

  it.each<[string, () => Promise<boolean>]>([
    ['rejects', fail],
    ['gives what is no flag', () => later('no' as unknown as boolean)],
  ])('is that a person is asked when `needsApproval` %s', async (_what, needsApproval) => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }], {
      tools: [toolNamed('look', () => 'seen', { ...slow.look, needsApproval })],
    })
    const { stopReason, interrupts } = await agent.invoke('go')
    expect([stopReason, interrupts.map(({ name }) => name)]).toEqual(['interrupt', ['approval']])
  })
})

describe('what is found when a call is prepared wins', () => {
  it('over flags that come late, of the input as the model wrote it', async () => {
    const { make, running, end } = held()
    const first = deferred<boolean>()
    /** A user's: all at once, and then by their flags. */
    let asked = 0
    const impatient: ToolStrategy = {
      ...scheduled,
      name: 'impatient',
      early: false,
      next: (view) => (view.sealed && asked++ === 0 ? view.waiting : scheduled.next(view)),
    }
    // By the model's input both are safe; by the hook's the one has a key and the other must run alone.
    const { agent } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'edit', input: { at } })) }, { text: 'Done.' }], {
      tools: [
        make('edit', {
          isConcurrencySafe: ({ at }) => (at === 1 ? true : at === 2 ? first.promise : at === 11 ? 'key' : Promise.resolve(false)),
        }),
      ],
      strategy: impatient,
    })
    agent.on('beforeToolCall', (event) => void (event.input = { at: (event.input as AtInput).at + 10 }))
    const done = agent.invoke('go')
    for (let i = 0; i < 8; i++) await quiet()
    expect(running()).toEqual([11])
    first.resolve(true)
    for (let i = 0; i < 8; i++) await quiet()
    expect(running()).toEqual([11])
    await end(11)
    expect(running()).toEqual([12])
    await end(12)
    await done
  })
})
