import { describe, expect, it } from 'vitest'
import { flagsOf, unknownFlags } from '../../src/tools/flags.ts'
import type { Tool, ToolTraits } from '../../src/tools/tool.ts'

const flags = (traits: object, input: unknown = {}) =>
  flagsOf({ name: 't', description: 'd', inputSchema: {}, run: () => '', ...(traits as ToolTraits<unknown>) } satisfies Tool, input)
const none = { readOnly: false, destructive: false, safe: false, approval: false }
const fail = (): never => {
  throw new Error('no')
}

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
    [
      'functions that give a promise: the careful answers',
      { isReadOnly: async () => true, isDestructive: async () => false, isConcurrencySafe: async () => true },
      { readOnly: false, destructive: true, safe: false, approval: false },
    ],
  ])('%s', (_what, traits, expected) => expect(flags(traits)).toEqual(expected))

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
      flags({ isReadOnly: async () => fail(), isConcurrencySafe: async () => fail() })
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
