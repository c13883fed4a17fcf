import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InputError, ToolDefinitionError } from '../../src/errors.ts'
import { tool } from '../../src/tools/tool.ts'
import type { ToolContext } from '../../src/tools/tool.ts'

const good = {
  name: 'weather',
  description: 'Weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }: { city: string }) => `${city}: 22 °C`,
}

describe('tool', () => {
  it('makes a tool: name, description, schema, run, and what is promised of it', () => {
    const weather = tool({
      ...good,
      isReadOnly: true,
      isConcurrencySafe: ({ city }) => city,
      access: ({ city }) => ({ url: `https://weather.example/${city}` }),
      maxResultChars: Infinity,
      timeoutMs: 10,
      settleMs: 0,
      strict: true,
    })
    expect({ ...weather }).toEqual({
      name: 'weather',
      description: 'Weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      validate: expect.any(Function) as unknown,
      run: good.execute,
      isReadOnly: true,
      isConcurrencySafe: expect.any(Function) as unknown,
      access: expect.any(Function) as unknown,
      maxResultChars: Infinity,
      timeoutMs: 10,
      settleMs: 0,
      strict: true,
    })
  })

  it('leaves out what is not stated', () => {
    expect(Object.keys(tool({ ...good, isDestructive: undefined }))).toEqual(['name', 'description', 'inputSchema', 'validate', 'run'])
  })

  it('shows the schema of its result', () => {
    expect(tool({ ...good, outputSchema: z.object({ degrees: z.number() }) }).outputSchema).toEqual({
      type: 'object',
      properties: { degrees: { type: 'number' } },
      required: ['degrees'],
    })
  })

  it('keeps what it is: nobody can change it by accident', () => {
    expect(() => Object.assign(tool(good), { description: 'other' })).toThrow(TypeError)
  })
})

describe('a tool is a function too', () => {
  it('that goes straight to execute: nothing is validated, nothing is wrapped', () => {
    const odd = tool({
      name: 'odd',
      description: 'd',
      inputSchema: z.object({ n: z.number().default(1) }),
      execute: (input) => ({ got: input }),
    })
    const value = { n: 'no number' } as never
    expect(odd(value)).toEqual({ got: value })
    expect(odd({} as never)).toEqual({ got: {} })
  })

  it('that throws what execute throws', async () => {
    const error = new RangeError('no')
    const sync = tool({
      ...good,
      execute: () => {
        throw error
      },
    })
    const late = tool({
      ...good,
      execute: async () => {
        throw error
      },
    })
    expect(() => sync({ city: 'a' })).toThrow(error)
    await expect(late({ city: 'a' })).rejects.toBe(error)
  })

  it('whose context does nothing and never ends', async () => {
    let context: ToolContext | undefined
    const probe = tool({ ...good, execute: (_input, given) => void (context = given) })
    const input = { city: 'Tokyo' }
    probe(input)
    const { signal, toolUse, idempotencyKey, invocationState, state } = context!
    expect({ aborted: signal.aborted, toolUse, idempotencyKey, invocationState, state }).toEqual({
      aborted: false,
      toolUse: { id: 'direct', name: 'weather', input },
      idempotencyKey: 'direct',
      invocationState: {},
      state: {},
    })
    expect(context!.endTurn('x')).toBeUndefined()
    expect(await context!.progress(1)).toBeUndefined()
    expect(() => context!.interrupt({ name: 'ask' })).toThrow(
      new InputError(
        'The tool "weather" asked for "ask", but it was called directly: there is no run to interrupt. Have an agent call it, or answer yourself: weather(input, { interrupt: () => answer }).',
        { code: 'no_run' },
      ),
    )
    expect(() => context!.agent).toThrow(
      new ToolDefinitionError('The tool "weather" was called directly and has no agent. Pass one: weather(input, { agent }).', {
        code: 'no_agent',
      }),
    )
  })

  it('that takes parts of a context', () => {
    const { signal } = new AbortController()
    const agent = { name: 'parent' } as never
    const probe = tool({ ...good, execute: (_input, context) => [context.signal, context.agent, context.state, context.idempotencyKey] })
    expect(probe({ city: 'a' }, { signal, agent, state: { a: 1 } })).toEqual([signal, agent, { a: 1 }, 'direct'])
  })

  it('that takes the whole context of another call as it is, without asking it for anything', () => {
    let whole: ToolContext | undefined
    const outer = tool({ ...good, execute: (_input, context) => void (whole = context) })
    outer({ city: 'a' })
    const inner = tool({ ...good, name: 'inner', execute: (_input, context) => context })
    expect(inner({ city: 'a' }, whole)).toBe(whole)
  })

  it('that can be answered in the place of a person', () => {
    const asking = tool({ ...good, execute: (_input, context) => context.interrupt({ name: 'sure' }) })
    expect(asking({ city: 'a' }, { interrupt: (({ name }: { name: string }) => `${name}: yes`) as never })).toBe('sure: yes')
  })

  it('that gives each call a state of its own', () => {
    const counter = tool({ ...good, execute: (_input, { state }) => (state['n'] = Number(state['n'] ?? 0) + 1) })
    expect([counter({ city: 'a' }), counter({ city: 'a' })]).toEqual([1, 1])
  })
})

describe('tool refuses', () => {
  const named = 'The tool "weather"'
  const name = 'A tool\'s name has 1 to 64 letters, digits, "_" or "-"; got '
  it.each<[string, unknown, string]>([
    ['no definition', undefined, 'tool() needs a definition { name, description, inputSchema, execute }, got undefined.'],
    ['a function', () => {}, 'tool() needs a definition { name, description, inputSchema, execute }, got function.'],
    ['no name', { ...good, name: undefined }, `${name}undefined.`],
    ['an empty name', { ...good, name: '' }, `${name}"".`],
    ['a name with a space', { ...good, name: 'get weather' }, `${name}"get weather".`],
    ['a name with a dot', { ...good, name: 'a.b' }, `${name}"a.b".`],
    ['a name with another letter', { ...good, name: 'wetter_für' }, `${name}"wetter_für".`],
    ['a name with a line end', { ...good, name: 'weather\n' }, `${name}"weather\\n".`],
    ['a name of 65 letters', { ...good, name: 'a'.repeat(65) }, `${name}"${'a'.repeat(65)}".`],
    ['no description', { ...good, description: undefined }, `${named} needs a description: the model chooses tools by it.`],
    ['a blank description', { ...good, description: ' ' }, `${named} needs a description: the model chooses tools by it.`],
    ['no execute', { ...good, execute: undefined }, `${named} needs execute(input, context), got undefined.`],
    [
      'no schema',
      { ...good, inputSchema: undefined },
      `${named} needs an inputSchema: a zod schema, another Standard Schema, or a JSON Schema object; got undefined.`,
    ],
    [
      'null as schema',
      { ...good, inputSchema: null },
      `${named} needs an inputSchema: a zod schema, another Standard Schema, or a JSON Schema object; got null.`,
    ],
    [
      'a list as schema',
      { ...good, inputSchema: [] },
      `${named} needs an inputSchema: a zod schema, another Standard Schema, or a JSON Schema object; got an array.`,
    ],
    [
      'a schema of no object',
      { ...good, inputSchema: z.string() },
      `${named}: inputSchema must describe an object, because models send arguments by name; it describes "string".`,
    ],
    ['a flag that is none', { ...good, isReadOnly: 'yes' }, `${named}: isReadOnly must be a boolean or function, got string.`],
    [
      'a key that is none',
      { ...good, isConcurrencySafe: 1 },
      `${named}: isConcurrencySafe must be a boolean or string or function, got number.`,
    ],
    ['an access that is none', { ...good, access: {} }, `${named}: access must be a function, got object.`],
    ['a strictness that is none', { ...good, strict: 'very' }, `${named}: strict must be a boolean, got string.`],
    ['no time', { ...good, timeoutMs: 0 }, `${named}: timeoutMs must be a positive number, got 0.`],
    ['a time that is none', { ...good, timeoutMs: Number.NaN }, `${named}: timeoutMs must be a positive number, got NaN.`],
    ['a time as text', { ...good, timeoutMs: '10' }, `${named}: timeoutMs must be a positive number, got 10.`],
    ['less than no time', { ...good, settleMs: -1 }, `${named}: settleMs must be a positive number, got -1.`],
    ['no characters', { ...good, maxResultChars: 0 }, `${named}: maxResultChars must be a positive number, got 0.`],
  ])('%s', (_what, definition, said) => expect(() => tool(definition as never)).toThrow(new ToolDefinitionError(said)))
})
