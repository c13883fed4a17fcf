import { describe, expect, it } from 'vitest'
import { flagsOf, unknownFlags } from '../../src/tools/flags.ts'
import type { Tool, ToolTraits } from '../../src/tools/tool.ts'
import { isSettled } from '../support/promises.ts'

const flags = (traits: object, input: unknown = {}) =>
  flagsOf({ name: 't', description: 'd', inputSchema: {}, run: () => '', ...(traits as ToolTraits<unknown>) } satisfies Tool, input)
const none = { readOnly: false, destructive: false, safe: false, approval: false }
const careful = { readOnly: false, destructive: true, safe: false, approval: true }
const fail = (): never => {
  throw new Error('no')
}
const later = <T>(answer: T) => Promise.resolve(answer)

describe('flagsOf', () => {
  it.each<[string, object, object]>([
    ['nothing stated: all false', {}, none],
    ['each is its own: read-only', { isReadOnly: true }, { ...none, readOnly: true }],
    ['each is its own: destructive', { isDestructive: true }, { ...none, destructive: true }],
    ['each is its own: safe', { isConcurrencySafe: true }, { ...none, safe: true, approval: false }],
    ['a key', { isConcurrencySafe: 'db' }, { ...none, safe: 'db' }],
    [
      'read-only and destructive at once, as stated',
      { isReadOnly: true, isDestructive: true },
      { readOnly: true, destructive: true, safe: false, approval: false },
    ],
    [
      'functions that throw: the careful answers',
      { isReadOnly: fail, isDestructive: fail, isConcurrencySafe: fail },
      { readOnly: false, destructive: true, safe: false, approval: false },
    ],
    [
      'functions that give no flag: the careful answers',
      { isReadOnly: () => 'yes', isDestructive: () => undefined, isConcurrencySafe: () => 1 },
      { readOnly: false, destructive: true, safe: false, approval: false },
    ],
  ])('%s', (_what, traits, expected) => expect(flags(traits)).toEqual(expected))

  it.each<[string, object, object]>([
    [
      'all of them',
      {
        isReadOnly: () => later(true),
        isDestructive: () => later(false),
        isConcurrencySafe: () => later('db'),
        needsApproval: () => later(true),
      },
      { readOnly: true, destructive: false, safe: 'db', approval: true },
    ],
    [
      'one, among some that are known at once',
      { isReadOnly: true, isDestructive: () => false, isConcurrencySafe: () => later(true) },
      { ...none, readOnly: true, safe: true },
    ],
    [
      'those that reject: the careful answers',
      {
        isReadOnly: async () => fail(),
        isDestructive: async () => fail(),
        isConcurrencySafe: async () => fail(),
        needsApproval: async () => fail(),
      },
      careful,
    ],
    [
      'those that are no flag: the careful answers',
      {
        isReadOnly: () => later('yes'),
        isDestructive: () => later(undefined),
        isConcurrencySafe: () => later(1),
        needsApproval: () => later(null),
      },
      careful,
    ],
    [
      'one that rejects, one that throws; the others count as they are',
      { isReadOnly: async () => fail(), isDestructive: fail, isConcurrencySafe: () => later('db'), needsApproval: () => false },
      { readOnly: false, destructive: true, safe: 'db', approval: false },
    ],
    [
      'a promise of another make',
      { isReadOnly: () => ({ then: (tell: (answer: boolean) => void) => tell(true) }) },
      { ...none, readOnly: true },
    ],
    [
      'what only seems to be a promise: the careful answer, as soon as it shows',
      { isReadOnly: () => ({ then: fail }), isConcurrencySafe: () => later(true) },
      { ...none, safe: true },
    ],
  ])('waits for functions that give a promise: %s', async (_what, traits, expected) => {
    const given = flags(traits)
    expect(given).toBeInstanceOf(Promise)
    expect(await given).toEqual(expected)
  })

  it('gives no promise where a promise has a `then` that cannot be read', () => {
    const answer = Object.defineProperty({}, 'then', { get: fail })
    expect(flags({ isReadOnly: () => answer, isDestructive: () => answer })).toEqual({ ...none, destructive: true })
  })

  it('stays pending while one of them does', async () => {
    const given = flags({ isReadOnly: () => new Promise(() => {}), isConcurrencySafe: async () => fail() })
    expect(await isSettled(Promise.resolve(given))).toBe(false)
  })

  it('asks with the input, which decides', () => {
    const traits = {
      isReadOnly: ({ sql }: { sql: string }) => sql.startsWith('select'),
      isDestructive: ({ sql }: { sql: string }) => sql.startsWith('drop'),
      isConcurrencySafe: ({ sql }: { sql: string }) => sql.startsWith('select') || sql.split(' ').at(-1)!,
    }
    expect(flags(traits, { sql: 'select 1' })).toEqual({ readOnly: true, destructive: false, safe: true, approval: false })
    expect(flags(traits, { sql: 'drop users' })).toEqual({ readOnly: false, destructive: true, safe: 'users', approval: false })
    expect(flags(traits, { sql: 7 })).toEqual({ readOnly: false, destructive: true, safe: false, approval: false })
  })

  it('leaves no rejection of an async flag unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      void flags({ isReadOnly: async () => fail(), isConcurrencySafe: async () => fail(), isDestructive: () => new Promise(() => {}) })
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })

  it('assumes the worst of what is not known', () => {
    expect(unknownFlags).toEqual({ readOnly: false, destructive: true, safe: false, approval: true })
  })
})
