import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ToolDefinitionError } from '../../src/errors.ts'
import { Tools } from '../../src/tools/registry.ts'
import type { ToolSource } from '../../src/tools/registry.ts'
import { tool } from '../../src/tools/tool.ts'
import type { Tool } from '../../src/tools/tool.ts'

const make = (name: string, description = 'd'): Tool => tool({ name, description, inputSchema: z.object({}), execute: () => name })
const registry = (...sources: readonly ToolSource[]): Tools => {
  const tools = new Tools()
  tools.add(sources)
  return tools
}
const mixedUp = (a: string, b: string) =>
  `The tools "${a}" and "${b}" have names that models mix up (they differ only in "-", "_" or case). Rename one.`
const twice = (name: string) =>
  `There are two tools named "${name}". Rename one, or use agent.tools.replace() to put one in the other's place.`

describe('a registry', () => {
  it('takes tools and arrays of them, nested', () => {
    const tools = new Tools()
    tools.add([make('a'), [make('b'), [make('c')]], []])
    tools.add(make('d'))
    expect(tools.names).toEqual(['a', 'b', 'c', 'd'])
    expect([tools.get('c')?.name, tools.get('x'), tools.get('toString')]).toEqual(['c', undefined, undefined])
  })

  it('takes whatever has the shape of a tool', () => {
    class Clock implements Tool {
      readonly name = 'clock'
      readonly description = ''
      readonly inputSchema = { type: 'object' }
      run(): string {
        return 'now'
      }
    }
    const clock = new Clock()
    expect(registry(clock).get('clock')).toBe(clock)
  })

  it('takes another agent for the tool that it gives', () => {
    const ask = make('ask')
    expect(registry({ name: 'other', asTool: () => ask } as never).get('ask')).toBe(ask)
  })

  it('removes and replaces', () => {
    const tools = registry(make('a'), make('b'))
    const other = make('a', 'other')
    tools.replace(other)
    expect([tools.get('a'), tools.names]).toEqual([other, ['a', 'b']])
    tools.replace(make('c'))
    expect([tools.remove('b'), tools.remove('b'), tools.names]).toEqual([true, false, ['a', 'c']])
    tools.add(make('B'))
    expect(tools.names).toEqual(['a', 'c', 'B'])
  })
})

describe('names', () => {
  it.each<[string, string, string]>([
    ['read_file', 'read_file', twice('read_file')],
    ['read_file', 'read-file', mixedUp('read_file', 'read-file')],
    ['read-file', 'read_file', mixedUp('read-file', 'read_file')],
    ['readFile', 'readfile', mixedUp('readFile', 'readfile')],
    ['A-b_C', 'a_B-c', mixedUp('A-b_C', 'a_B-c')],
  ])('%s and %s are refused together, in one call or in two', (first, second, said) => {
    const error = new ToolDefinitionError(said, { code: 'duplicate_tool' })
    expect(() => registry(make(first), make(second))).toThrow(error)
    const tools = registry(make(first))
    expect(() => tools.add(make(second))).toThrow(error)
    expect(() => tools.add(make(second))).toThrow(expect.objectContaining({ code: 'duplicate_tool' }) as Error)
    expect(tools.names).toEqual([first])
  })

  it.each([
    ['read_file', 'readfile'],
    ['a', 'aa'],
    ['get_user', 'get_users'],
  ])('%s and %s are different', (first, second) => expect(registry(make(first), make(second)).names).toEqual([first, second]))

  it('are refused in place of others that they only resemble', () => {
    const tools = registry(make('read_file'))
    expect(() => tools.replace(make('read-file'))).toThrow(
      new ToolDefinitionError(mixedUp('read_file', 'read-file'), { code: 'duplicate_tool' }),
    )
  })

  it('of a removed tool are free again, and all that resemble them', () => {
    const tools = registry(make('read_file'))
    tools.remove('read_file')
    tools.add(make('read-file'))
    expect(tools.names).toEqual(['read-file'])
  })
})

describe('a tool that supports hot reload', () => {
  const hot = (name: string, description: string): Tool => ({ ...make(name), name, description, supportsHotReload: true })

  it('takes the place of the one of its name', () => {
    const tools = registry(make('a'), make('b'))
    const newer = hot('a', 'newer')
    tools.add(newer)
    expect([tools.get('a'), tools.names]).toEqual([newer, ['a', 'b']])
    const newest = hot('a', 'newest')
    tools.add([hot('a', 'in between'), newest])
    expect(tools.get('a')).toBe(newest)
  })

  it('is made by tool(), too', () => {
    const made = tool({ name: 'a', description: 'd', inputSchema: z.object({}), supportsHotReload: true, execute: () => '' })
    const tools = registry(make('a'))
    tools.add(made)
    expect(tools.get('a')).toBe(made)
  })

  it('does not take the place of one that only resembles it', () => {
    const tools = registry(make('read_file'))
    expect(() => tools.add(hot('read-file', 'd'))).toThrow(
      new ToolDefinitionError(mixedUp('read_file', 'read-file'), { code: 'duplicate_tool' }),
    )
  })
})

describe('a refusal', () => {
  const shape = { name: 'x', description: 'd', inputSchema: {}, run: () => '' }
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'A tool is made by tool({ … }); got undefined.'],
    ['null', null, 'A tool is made by tool({ … }); got null.'],
    ['a number', 7, 'A tool is made by tool({ … }); got number.'],
    [
      'a function',
      function add() {},
      'This is not a tool: the function "add" has no run(input, context). Make it with tool({ name, description, inputSchema, execute }).',
    ],
    [
      'a definition',
      { ...shape, run: undefined, execute: () => '' },
      'This is not a tool: the object has no run(input, context). Make it with tool({ name, description, inputSchema, execute }).',
    ],
    ['a name that no wire takes', { ...shape, name: 'a b' }, 'A tool\'s name has 1 to 64 letters, digits, "_" or "-"; got "a b".'],
    ['no description', { ...shape, description: undefined }, 'The tool "x" needs a description, got undefined.'],
    ['no schema', { ...shape, inputSchema: undefined }, 'The tool "x" needs an inputSchema (a JSON Schema object), got undefined.'],
    ['a source without a name', ' ', 'The name of a source of tools is blank. Give a file, a package, or `file:export`.'],
    ['a provider without a name', { loadTools: () => [] }, 'A tool provider needs a name, for messages; got undefined.'],
    [
      'half a provider',
      { name: 'mcp', loadTools: () => [], addConsumer: () => {} },
      'The tool provider "mcp" has no removeConsumer(consumer). A provider is { name, loadTools, addConsumer, removeConsumer }.',
    ],
    ['a flag that is none', { ...shape, isReadOnly: 1 }, 'The tool "x": isReadOnly must be a boolean or function, got number.'],
  ])('of %s says what is missing', (_what, given, said) => expect(() => registry(given as never)).toThrow(new ToolDefinitionError(said)))

  it('changes nothing: none of its tools is added', () => {
    const tools = registry(make('a'))
    const { specs } = tools
    for (const bad of [make('a'), make('A'), null as never]) expect(() => tools.add([make('b'), bad])).toThrow(ToolDefinitionError)
    expect(() => tools.replace(null as never)).toThrow(ToolDefinitionError)
    expect(tools.names).toEqual(['a'])
    expect(tools.specs).toBe(specs)
  })
})

describe('specs', () => {
  it('are what the model is told, sorted by name whatever the order of adding', () => {
    const spec = (name: string) => ({ name, description: 'd', inputSchema: { type: 'object', properties: {} } })
    expect(registry(make('b'), make('a'), make('C')).specs).toEqual([spec('C'), spec('a'), spec('b')])
    expect(registry(make('C'), make('a'), make('b')).specs).toEqual([spec('C'), spec('a'), spec('b')])
  })

  it('are made once: the same objects until something changes', () => {
    const tools = registry(make('b'), make('a'))
    const { specs } = tools
    expect(tools.specs).toBe(specs)
    tools.remove('nobody')
    expect(tools.specs).toBe(specs)
    tools.add([])
    expect(tools.specs).toBe(specs)
    const changes = [() => void tools.add(make('c')), () => void tools.replace(make('c', 'other')), () => void tools.remove('c')]
    for (const change of changes) {
      const before = tools.specs
      change()
      expect(tools.specs).not.toBe(before)
    }
    expect(tools.specs).toEqual(specs)
  })

  it('stay the same objects when a tool comes back that says the same', () => {
    const tools = registry(make('b'), make('a'))
    const { specs } = tools
    tools.replace(make('a'))
    expect(tools.specs).toBe(specs)
    tools.replace(make('a', 'other'))
    expect(tools.specs).not.toBe(specs)
    expect(tools.specs[1]).toBe(specs[1])
  })

  it('cannot be changed by who reads them', () => {
    const { specs } = registry(make('a'))
    expect(Object.isFrozen(specs) && Object.isFrozen(specs[0])).toBe(true)
  })
})
