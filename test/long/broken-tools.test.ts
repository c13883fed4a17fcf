// One flaw each: the suite names it, and nothing else.
import type { Tool, ToolContext } from 'lena-agent'
import { tool } from 'lena-agent'
import { toolConformance } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onAbort, reasonOf } from '../../src/util/abort.ts'

/** What there is in the world. */
type World = { rows: string[] }

const untilTold = (signal: AbortSignal): Promise<never> => new Promise((_, reject) => void onAbort(signal, () => reject(reasonOf(signal))))

/** A tool that does everything right: it writes a row, once for each key. */
const good = (world: World, parts: Partial<Tool> = {}): Tool => ({
  ...plain(
    tool({
      name: 'write',
      description: 'Writes a row.',
      inputSchema: z.object({ row: z.string(), slow: z.boolean().optional() }),
      isConcurrencySafe: true,
      execute: async ({ row, slow }, { idempotencyKey, signal, progress }) => {
        await progress({ writing: row })
        if (slow) await untilTold(signal)
        if (!world.rows.includes(idempotencyKey)) world.rows.push(idempotencyKey)
        return `wrote ${row}`
      },
    }),
  ),
  ...parts,
})

/** Its parts, so that they can be changed. */
const plain = (given: Tool): Tool => ({ ...given, name: given.name })

type Input = { readonly row: string; readonly slow?: boolean }
type Flaw = (world: World) => Tool

/** The good one, with another thing to do. */
const doing =
  (
    run: (input: Input, context: ToolContext, world: World, well: (input: Input) => Promise<unknown>) => unknown,
    parts: Partial<Tool> = {},
  ): Flaw =>
  (world) => {
    const own = good(world)
    return good(world, {
      ...parts,
      run: (input: Input, context) => run(input, context, world, async (given) => (await own.run(given, context)) as unknown),
    })
  }

async function failures(flaw: Flaw): Promise<readonly string[]> {
  const world: World = { rows: [] }
  const tests: { name: string; fn: () => Promise<void> }[] = []
  toolConformance({ test: (name, fn) => void tests.push({ name, fn }) }, () => flaw(world), {
    input: { row: 'a' },
    invalid: { row: 1 },
    slow: { row: 'a', slow: true },
    progress: { row: 'a' },
    once: { row: 'a' },
    effects: () => world.rows.length,
  })
  const failed: string[] = []
  for (const { name, fn } of tests) await fn().catch(() => failed.push(name))
  return failed
}

const legal = 'what the model is told of it is legal with every provider'
const steady = 'what the model is told of it stays the same'
const flags = 'its flags answer for the good input in bounded time: none throws, none rejects'
const gives = 'it takes the good input, and gives what the history can hold'
const untouched = 'the input is left as it was'
const refuses = 'an input that its schema does not take is refused: where, what was expected, what came; and nothing is run'
const key = 'every call has its key, the same when a hook has it run again'
const beside = 'calls that may run side by side do'
const ends = 'a call that is told to end does so in bounded time, and does nothing more behind that'
const tells = 'it tells of its progress while it runs, in plain data'
const once = 'run twice with one key it has its effect once'

const rowSchema = { type: 'object', properties: { row: { type: 'string' }, slow: { type: 'boolean' } }, required: ['row'] }
const withSchema =
  (inputSchema: object): Flaw =>
  (world) =>
    good(world, { inputSchema: inputSchema as Tool['inputSchema'] })

describe.concurrent('a tool that', () => {
  it.each<[name: string, flaw: Flaw, failed: readonly string[]]>([
    ['does everything right', good, []],
    ['has no description', (world) => good(world, { description: ' ' }), [legal]],
    ['has a schema without a type', withSchema({ ...rowSchema, type: undefined }), [legal]],
    ['has a schema with a choice at its root', withSchema({ ...rowSchema, anyOf: [{}] }), [legal]],
    ['has a property without a type', withSchema({ ...rowSchema, properties: { row: { description: 'a row' } } }), [legal]],
    ['requires what is no property', withSchema({ ...rowSchema, required: ['row', 'name'] }), [legal]],
    ['shows another schema than it checks', withSchema({ ...rowSchema, properties: { row: { type: 'number' } } }), [legal]],
    ['has a schema that is no JSON', withSchema({ ...rowSchema, default: 1n }), [legal, steady]],
    [
      'tells the model something else after each call',
      (world) => {
        let calls = 0
        const own = good(world)
        return Object.defineProperty(
          good(world, { run: (input, context) => (calls++, own.run(input, context) as unknown) }),
          'description',
          { get: () => `Writes row ${calls}.`, enumerable: true },
        )
      },
      [steady],
    ],
    [
      'has a flag that throws',
      (world) =>
        good(world, {
          isDestructive: () => {
            throw new Error('no')
          },
        }),
      [flags],
    ],
    [
      'has flags, and an access, that are promises',
      (world) =>
        good(world, {
          isReadOnly: async () => false,
          isDestructive: async () => false,
          isConcurrencySafe: async () => true,
          needsApproval: async () => false,
          access: async () => ({ paths: [] }),
        }),
      [],
    ],
    [
      'has a flag that rejects',
      (world) => good(world, { needsApproval: () => Promise.reject(new Error('no')) }),
      [flags, gives, key, beside, ends, tells],
    ],
    ['has a flag that gives what is none', (world) => good(world, { isDestructive: async () => 'no' as never }), [flags]],
    [
      'has a flag that never answers',
      (world) => good(world, { isDestructive: () => new Promise(() => {}), timeoutMs: 100 }),
      [flags, gives, key, beside, ends, tells],
    ],
    ['has an access that rejects', (world) => good(world, { access: () => Promise.reject(new Error('no')) }), [flags]],
    ['has an access that never answers', (world) => good(world, { access: () => new Promise(() => {}) }), [flags]],
    ['has an access that gives what is none', (world) => good(world, { access: async () => 'a.txt' as never }), [flags]],
    ['says that it only reads, and destroys', (world) => good(world, { isReadOnly: true, isDestructive: true }), [flags, gives]],
    ['says that it only reads, and writes', (world) => good(world, { isReadOnly: true }), [gives]],
    [
      'throws',
      doing((input, _context, _world, well) => {
        if (!input.slow) throw new Error('no')
        return well(input)
      }),
      [gives, beside, tells],
    ],
    [
      'gives what cannot be shown',
      doing(
        async (input, _context, _world, well) => (
          await well(input),
          {
            at: {
              get now(): never {
                throw new Error('no')
              },
            },
          }
        ),
      ),
      [gives, beside],
    ],
    [
      'changes its input',
      doing(async (input, _context, _world, well) => {
        const said = await well(input)
        Object.assign(input, { row: 'changed' })
        return said
      }),
      [untouched],
    ],
    ['takes everything', (world) => good(world, { validate: (input) => ({ value: input as Input }) }), [refuses]],
    [
      'refuses without a reason',
      (world) => good(world, { validate: (input) => ((input as Input).row === 'a' ? { value: input } : { issues: [] }) }),
      [refuses],
    ],
    [
      'cannot be used twice at a time',
      (world) => {
        let busy = 0
        return doing(async (input, _context, _world, well) => {
          if (++busy > 1) throw new Error('busy')
          try {
            return await well(input)
          } finally {
            busy--
          }
        })(world)
      },
      [beside],
    ],
    ['is deaf', doing((input, _context, _world, well) => (input.slow ? new Promise(() => {}) : well(input))), [ends]],
    [
      'goes on behind its end',
      doing(async (input, { signal }, world, well) => {
        if (!input.slow) return await well(input)
        onAbort(signal, () => {
          // For as long as anybody may look.
          const timer = setInterval(() => world.rows.push('late') > 2000 && clearInterval(timer), 5)
          timer.unref()
        })
        return await untilTold(signal)
      }),
      [ends],
    ],
    [
      'takes a cancel for success',
      doing(async (input, { signal }, _world, well) => (input.slow ? await untilTold(signal).catch(() => 'done') : await well(input))),
      [ends],
    ],
    [
      'tells nothing',
      doing((input, context, world) =>
        input.slow
          ? untilTold(context.signal)
          : (world.rows.includes(context.idempotencyKey) || world.rows.push(context.idempotencyKey), 'done'),
      ),
      [tells],
    ],
    ['acts twice', doing(async (input, _context, world, well) => (world.rows.push('again'), await well(input))), [once]],
  ])(
    '%s',
    async (_, flaw, failed) => {
      expect(await failures(flaw)).toEqual(failed)
    },
    60_000,
  )
})
