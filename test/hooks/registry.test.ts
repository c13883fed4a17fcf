import { describe, expect, it } from 'vitest'
import { HookError, InputError } from '../../src/errors.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** Those of a run in which all goes well; `beforeCompaction` has a test of its own. */
const names = [
  'beforeInvocation',
  'afterInvocation',
  'messageAdded',
  'beforeModelCall',
  'afterModelCall',
  'beforeTools',
  'afterTools',
  'beforeToolCall',
  'afterToolCall',
] as const satisfies readonly HookName[]
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }
const next = { text: 'The next answer.' }

describe('the order of hooks', () => {
  it('is that of the run', async () => {
    const { agent } = makeAgent([callsLook, { text: 'Done.' }], { tools: [look()] })
    const seen: string[] = []
    for (const name of names) agent.on(name, ({ turn }) => void seen.push(`${name} ${turn}`))
    await agent.invoke('go')
    expect(seen).toEqual([
      'beforeInvocation 0',
      'messageAdded 0',
      'beforeModelCall 1',
      'afterModelCall 1',
      'messageAdded 1',
      'beforeTools 1',
      'beforeToolCall 1',
      'afterToolCall 1',
      'messageAdded 1',
      'afterTools 1',
      'beforeModelCall 2',
      'afterModelCall 2',
      'messageAdded 2',
      'afterInvocation 2',
    ])
  })

  it.each(names)('%s: by `order`, then as registered; after… the other way round; each waits for the one before', async (name) => {
    const { agent } = makeAgent([callsLook, { text: 'Done.' }], { tools: [look()] })
    const seen: string[] = []
    const hook = (label: string) => async () => {
      await tick()
      seen.push(label)
    }
    agent.on(name, hook('second'))
    agent.on(name, hook('third'))
    agent.on(name, hook('first'), { order: -1 })
    agent.on(name, hook('last'), { order: 5 })
    await agent.invoke('go')
    const order = ['first', 'second', 'third', 'last']
    expect(seen.slice(0, 4)).toEqual(name.startsWith('after') ? order.toReversed() : order)
  })
})

describe('taking a hook away', () => {
  it('is done by the function that comes back, and only once', async () => {
    const { agent } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
    const seen: string[] = []
    const off = agent.on('beforeModelCall', () => void seen.push('gone'))
    agent.on('beforeModelCall', () => void seen.push('stays'))
    await agent.invoke('go')
    off()
    off()
    await agent.invoke('go')
    expect(seen).toEqual(['gone', 'stays', 'stays'])
  })

  it('while it runs does not cut the round that is under way', async () => {
    const { agent } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
    const seen: string[] = []
    const offs: (() => void)[] = []
    offs.push(agent.on('beforeModelCall', () => (seen.push('a'), offs.forEach((off) => off()))))
    offs.push(agent.on('beforeModelCall', () => void seen.push('b')))
    await agent.invoke('go')
    await agent.invoke('go')
    expect(seen).toEqual(['a', 'b'])
  })
})

describe('a hook that throws', () => {
  it.each(names)('%s: the run ends with its error, those behind it are not called, the history is legal', async (name) => {
    const { agent, model } = makeAgent([callsLook, { text: 'Done.' }, next], { tools: [look()] })
    const cause = new RangeError('no')
    const seen: string[] = []
    const offs = [
      agent.on(name, () => void seen.push('one'), { order: name.startsWith('after') ? 2 : 0 }),
      agent.on(name, () => Promise.reject(cause), { order: 1 }),
      agent.on(name, () => void seen.push('two'), { order: name.startsWith('after') ? 0 : 2 }),
    ]
    const { error, events } = await collect(agent.stream('go'))
    for (const off of offs) off()
    expect(error).toBeInstanceOf(HookError)
    expect(error).toMatchObject({ code: 'hook_failed', hook: name, message: `The hook ${name} threw: no`, cause })
    expect(error?.partial?.messages).toEqual(agent.messages)
    expect(new Set(seen)).toEqual(new Set(['one']))
    // The model may have the answer by now; whatever is left of the script is not needed.
    while (model.requests.length < 2) await agent.invoke('more').catch(() => {})
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('says so whatever it throws', async () => {
    const { agent } = makeAgent([])
    agent.on('beforeInvocation', () => Promise.reject('a string'))
    await expect(agent.invoke('go')).rejects.toMatchObject({ message: 'The hook beforeInvocation threw: a string', cause: 'a string' })
  })
})

describe('what is no hook', () => {
  it('is refused with what was meant', () => {
    const { agent } = makeAgent([])
    expect(() => agent.on('beforeTool' as never, () => {})).toThrow(
      new InputError(
        `There is no hook "beforeTool". Did you mean "beforeTools" or "beforeToolCall"? Hooks are: ${names.join(', ').replace('beforeTools', 'beforeCompaction, beforeTools')}.`,
      ),
    )
    expect(() => agent.on('beforeTools', 'x' as never)).toThrow(new InputError('The hook "beforeTools" must be a function, got "x".'))
  })
})
