import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NotYetError, ToolDefinitionError } from '../../src/errors.ts'
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
    ['a flag that is none', { ...shape, isReadOnly: 1 }, 'The tool "x": isReadOnly must be a boolean or function, got number.'],
  ])('of %s says what is missing', (_what, given, said) => expect(() => registry(given as never)).toThrow(new ToolDefinitionError(said)))

  it.each<[string, unknown]>([
    ['a name of a file', './tools/weather.ts'],
    ['a tool provider', { name: 'mcp', loadTools: () => [] }],
    ['a tool that asks first', { ...shape, needsApproval: true }],
  ])('of %s says that it is not there yet', (_what, given) => expect(() => registry(given as never)).toThrow(NotYetError))

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
    const changes = [() => tools.add(make('c')), () => tools.replace(make('c', 'other')), () => tools.remove('c')]
    for (const change of changes) {
      const before = tools.specs
      change()
      expect(tools.specs).not.toBe(before)
    }
    expect(tools.specs).toEqual(specs)
  })

  it('cannot be changed by who reads them', () => {
    const { specs } = registry(make('a'))
    expect(Object.isFrozen(specs) && Object.isFrozen(specs[0])).toBe(true)
  })
})
