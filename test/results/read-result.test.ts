import { describe, expect, it } from 'vitest'
import { memoryResults } from '../../src/results/memory-results.ts'
import { readResultTool, readerFor } from '../../src/results/read-result.ts'
import type { ResultStore } from '../../src/results/result-store.ts'
import { Tools } from '../../src/tools/registry.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import { validateJsonSchema } from '../../src/tools/validate-json-schema.ts'
import { toolNamed } from '../support/tools.ts'
import { failureOf, named, signal } from './support/folder.ts'

const context = { signal } as ToolContext
const said = (...texts: readonly string[]) => ({ status: 'success', content: texts.map((text) => ({ type: 'text', text })) })

describe('read_result', () => {
  const text = Array.from({ length: 30_000 }, (_, at) => at % 10).join('')

  it('shows 20,000 characters, says where they are and how to go on', async () => {
    const store = memoryResults()
    const { path } = await store.put(named(text), { signal })
    const read = readResultTool(store)
    expect(await read.run({ path }, context)).toEqual(
      said('[Characters 0 to 20000 of 30000. 10000 are left: go on with offset=20000.]', text.slice(0, 20_000)),
    )
    expect(await read.run({ path, offset: 20_000 }, context)).toEqual(
      said('[Characters 20000 to 30000 of 30000. This is its end.]', text.slice(20_000)),
    )
    expect(await read.run({ path, offset: 5, limit: 3 }, context)).toEqual(
      said('[Characters 5 to 8 of 30000. 29992 are left: go on with offset=8.]', '567'),
    )
  })

  it('says what is wrong with a path, an offset or a limit', async () => {
    const store = memoryResults()
    const { path } = await store.put(named('abc'), { signal })
    const failure = async (input: { path: string; offset?: number; limit?: number }) =>
      (await failureOf(readResultTool(store).run(input, context))).message
    expect(await failure({ path: '/etc/passwd' })).toMatch(/^No result is kept at "\/etc\/passwd"\. Use a path exactly as/)
    expect(await failure({ path, offset: 3 })).toBe('offset=3 is past the end: the result has 3 characters.')
    expect(await failure({ path, offset: -1 })).toBe(
      'offset must be a whole number of at least 0, got -1: it counts the characters to pass over.',
    )
    expect(await failure({ path, limit: 100_001 })).toBe('limit must be a whole number from 1 to 100000, got 100001.')
  })

  it('only reads, may run beside others, and is never stored itself', async () => {
    const { isReadOnly, isConcurrencySafe, maxResultChars, isDestructive, inputSchema } = readResultTool(memoryResults())
    expect({ isReadOnly, isConcurrencySafe, maxResultChars, isDestructive }).toEqual({
      isReadOnly: true,
      isConcurrencySafe: true,
      maxResultChars: Infinity,
      isDestructive: undefined,
    })
    expect((await validateJsonSchema(inputSchema, { path: 'p', offset: 0, limit: 1 })).issues).toBeUndefined()
    expect((await validateJsonSchema(inputSchema, { path: 'p', limit: 0 })).issues).toHaveLength(1)
  })
})

describe('the tool to read on with', () => {
  const store = (readers: ResultStore['readers']): ResultStore => ({ ...memoryResults(), readers })
  const tools = (...names: readonly (readonly [name: string, maxResultChars?: number])[]): Tools => {
    const registry = new Tools()
    for (const [name, maxResultChars] of names) registry.add(toolNamed(name, () => '', { maxResultChars }))
    return registry
  }
  const byLines = { name: 'read_file', offset: 'line' } as const

  it('is one that the agent has, if it can open the paths of the store', () => {
    const registry = tools(['look'], ['read_file', Infinity])
    expect(readerFor(store([byLines]), registry)).toEqual(byLines)
    expect(registry.names).toEqual(['look', 'read_file'])
  })

  it.each([
    ['has none', tools(['look']), [byLines]],
    ['has one whose own results would be stored', tools(['read_file']), [byLines]],
    ['has one that cannot open the paths of this store', tools(['read_file', Infinity]), undefined],
  ] as const)('is read_result, added once, where the agent %s', (_, registry, readers) => {
    const before = registry.names
    for (let times = 0; times < 2; times++)
      expect(readerFor(store(readers), registry)).toEqual({ name: 'read_result', offset: 'character' })
    expect(registry.names).toEqual([...before, 'read_result'])
  })

  it('is none where models would mix up the name with another', () => {
    expect(readerFor(store(undefined), tools(['read-result']))).toBeUndefined()
  })
})
