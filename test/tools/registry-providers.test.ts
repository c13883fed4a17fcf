import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../src/errors.ts'
import { Tools } from '../../src/tools/registry.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { testProvider } from '../support/provider.ts'

const make = (name: string, description = 'd'): Tool => ({ name, description, inputSchema: { type: 'object' }, run: () => name })
const provider = (name: string) => testProvider(name, () => [])
const setUp = (...names: readonly string[]) => {
  const tools = new Tools()
  const providers = names.map(provider)
  tools.add(providers)
  return { tools, providers }
}

describe('the tools of a provider', () => {
  it('are there once they were loaded, behind the own ones, and gone when they are withdrawn', () => {
    const { tools, providers } = setUp('mcp')
    const [b, a] = [make('b'), make('a')]
    expect(tools.providers).toEqual(providers)
    expect(tools.provide(providers[0]!, [b, a])).toEqual([])
    tools.add(make('own'))
    expect([tools.names, tools.specs.map(({ name }) => name), tools.get('b')]).toEqual([['own', 'b', 'a'], ['a', 'b', 'own'], b])
    tools.withdraw(providers[0]!)
    expect(tools.names).toEqual(['own'])
  })

  it('that are loaded again take the place of those before; the specs are the same list when they say the same', () => {
    const { tools, providers } = setUp('mcp')
    tools.provide(providers[0]!, [make('a'), make('b')])
    const { specs } = tools
    const again = make('b')
    tools.provide(providers[0]!, [again, make('a')])
    expect(tools.get('b')).toBe(again)
    expect(tools.specs).toBe(specs)
    tools.provide(providers[0]!, [make('b')])
    expect(tools.specs).toEqual([specs[1]])
    expect(tools.specs[0]).toBe(specs[1])
  })

  it('are left out one by one where they are bad', () => {
    const { tools, providers } = setUp('mcp')
    const loaded = [make('good'), { ...make('x'), run: undefined }, make('a b'), null, make('fine')]
    expect(tools.provide(providers[0]!, loaded)).toEqual([
      'A tool of "mcp" is left out. This is not a tool: the object has no run(input, context). Make it with tool({ name, description, inputSchema, execute }).',
      'A tool of "mcp" is left out. A tool\'s name has 1 to 64 letters, digits, "_" or "-"; got "a b".',
      'A tool of "mcp" is left out. A tool is made by tool({ … }); got null.',
    ])
    expect(tools.names).toEqual(['good', 'fine'])
  })

  it('are left out when no request can carry them', () => {
    const { tools, providers } = setUp('mcp')
    const round: Record<string, unknown> = { type: 'object' }
    round['properties'] = round
    expect(tools.provide(providers[0]!, [{ ...make('a'), inputSchema: round }, make('b')])).toEqual([
      expect.stringContaining('A tool of "mcp" is left out. Converting circular structure'),
    ])
    expect(tools.names).toEqual(['b'])
  })

  it('must be an array', () => {
    const { tools, providers } = setUp('mcp')
    expect(() => tools.provide(providers[0]!, undefined)).toThrow(
      new TypeError('loadTools() must resolve to an array of tools, got undefined.'),
    )
  })
})

describe('a name that is taken', () => {
  const left = (name: string, by: string, owner: string): string =>
    `The tool "${name}" of "${by}" is left out: its name is taken by ${owner}.`

  it('stays with the own tool, whichever came first', () => {
    const { tools, providers } = setUp('mcp')
    const own = make('read_file')
    tools.add(own)
    expect(tools.provide(providers[0]!, [make('read_file'), make('Read-File'), make('other')])).toEqual([
      left('read_file', 'mcp', 'your own'),
      left('Read-File', 'mcp', 'your own, named "read_file"'),
    ])
    expect([tools.get('read_file'), tools.names]).toEqual([own, ['read_file', 'other']])
  })

  it('stays with the provider that was added first, even when that one is loaded last', () => {
    const { tools, providers } = setUp('first', 'second')
    const [one, two] = [make('a', 'one'), make('a', 'two')]
    expect(tools.provide(providers[1]!, [two])).toEqual([])
    expect(tools.get('a')).toBe(two)
    expect(tools.provide(providers[0]!, [one])).toEqual([left('a', 'second', 'of "first"')])
    expect(tools.get('a')).toBe(one)
    tools.provide(providers[0]!, [])
    expect(tools.get('a')).toBe(two)
  })

  it('stays with the first of two in one provider', () => {
    const { tools, providers } = setUp('mcp')
    const first = make('a')
    expect(tools.provide(providers[0]!, [first, make('a'), make('A')])).toEqual([
      left('a', 'mcp', 'another of its own'),
      left('A', 'mcp', 'another of its own, named "a"'),
    ])
    expect(tools.get('a')).toBe(first)
  })

  it('is told of once, not with every load', () => {
    const { tools, providers } = setUp('mcp')
    tools.add(make('a'))
    expect(tools.provide(providers[0]!, [make('a')])).toHaveLength(1)
    expect(tools.provide(providers[0]!, [make('a'), make('b')])).toEqual([])
  })

  it('is refused to a tool that comes later, with what can be done', () => {
    const { tools, providers } = setUp('mcp')
    tools.provide(providers[0]!, [make('a')])
    expect(() => tools.add(make('a'))).toThrow(
      new ToolDefinitionError(
        'The tool provider "mcp" has a tool named "a". Rename one, or use agent.tools.replace() to put one in the other\'s place.',
        { code: 'duplicate_tool' },
      ),
    )
    const mine = { ...make('a'), supportsHotReload: true }
    tools.add(mine)
    expect(tools.get('a')).toBe(mine)
  })
})

describe('what the user decided about a name', () => {
  it('a replaced tool stays replaced, without a word', () => {
    const { tools, providers } = setUp('mcp')
    tools.provide(providers[0]!, [make('a'), make('b')])
    const mine = make('a', 'mine')
    tools.replace(mine)
    expect(tools.provide(providers[0]!, [make('a', 'newer'), make('b')])).toEqual([])
    expect([tools.get('a'), tools.names]).toEqual([mine, ['a', 'b']])
  })

  it('a removed one stays away', () => {
    const { tools, providers } = setUp('mcp')
    tools.provide(providers[0]!, [make('a'), make('b')])
    expect([tools.remove('a'), tools.remove('a'), tools.remove('nobody')]).toEqual([true, false, false])
    expect(tools.provide(providers[0]!, [make('a'), make('b')])).toEqual([])
    expect(tools.names).toEqual(['b'])
    tools.add(make('a'))
    expect(tools.names).toEqual(['a', 'b'])
  })

  it('an own one that is removed does not bring up that of a provider', () => {
    const { tools, providers } = setUp('mcp')
    tools.add(make('a'))
    tools.provide(providers[0]!, [make('a')])
    expect(tools.remove('a')).toBe(true)
    expect(tools.names).toEqual([])
  })
})

describe('a change', () => {
  it('can be taken back, and what came after it stays', () => {
    const { tools, providers } = setUp('mcp')
    const mine = make('mine')
    tools.add(mine)
    tools.provide(providers[0]!, [make('a'), make('b')])
    const undo = [
      tools.add([make('x'), provider('other')]),
      tools.replace(make('a', 'other')),
      tools.replace(make('mine', 'other')),
      tools.take('b')!,
      tools.take('x')!,
    ]
    tools.add(make('later'))
    expect(tools.names).toEqual(['mine', 'a', 'later'])
    for (const take of undo.reverse()) take()
    expect([...tools.names].sort()).toEqual(['a', 'b', 'later', 'mine'])
    expect([tools.get('mine'), tools.get('a')?.description, tools.providers]).toEqual([mine, 'd', providers])
  })

  it('of the providers is refused for one that is there', () => {
    const { tools, providers } = setUp('mcp')
    const twice = new ToolDefinitionError('The tool provider "mcp" is there twice. Give it once.', { code: 'duplicate_tool' })
    expect(() => tools.add([make('a'), providers[0]!])).toThrow(twice)
    const other = provider('mcp')
    expect(() => tools.add([[other], other])).toThrow(twice)
    expect([tools.names, tools.providers]).toEqual([[], providers])
  })

  it('leaves the set of a turn as it was', () => {
    const { tools, providers } = setUp('mcp')
    tools.add(make('read-file'))
    const { current } = tools
    tools.provide(providers[0]!, [make('a')])
    tools.remove('read-file')
    expect([current.names, current.find('read_file')?.name, current.find('a')]).toEqual([['read-file'], 'read-file', undefined])
    expect(tools.names).toEqual(['a'])
  })
})
