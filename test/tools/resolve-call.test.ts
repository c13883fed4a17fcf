import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseToolInput } from '../../src/models/tool-input.ts'
import { resolveCall } from '../../src/tools/resolve-call.ts'
import { unknownFlags } from '../../src/tools/flags.ts'
import { tool } from '../../src/tools/tool.ts'
import type { Tool } from '../../src/tools/tool.ts'

const names = ['read_file', 'write_file', 'grep']
const use = (name: string, text = '{}') => ({ type: 'tool_use', id: 'c', name, ...parseToolInput(text) }) as const
const resolve = (toolUse: ReturnType<typeof use>, found: Tool | undefined, known: readonly string[] = names) =>
  resolveCall({ toolUse, tool: found, input: toolUse.input, names: known })
/** With what the developer gets besides. */
const invalid = (said: string) => ({
  ...refusal('invalid_input', said),
  error: expect.objectContaining({ code: 'invalid_tool_input' }) as unknown,
})
const refusal = (code: string, text: string) => ({ status: 'error', code, content: [{ type: 'text', text }] })
const base = { description: 'd', execute: () => '' }

describe('a call that can run', () => {
  it('has its input validated, and its flags for the validated input', async () => {
    const shell = tool({
      ...base,
      name: 'shell',
      inputSchema: z.object({ command: z.string().trim(), timeout: z.number().default(120) }),
      isReadOnly: ({ command }) => command === 'ls',
      isConcurrencySafe: ({ timeout }) => `t${timeout}`,
    })
    const toolUse = use('shell', '{"command":" ls ","extra":1}')
    expect(await resolve(toolUse, shell)).toEqual({
      toolUse,
      tool: shell,
      input: toolUse.input,
      parsed: { command: 'ls', timeout: 120 },
      flags: { readOnly: true, destructive: false, safe: 't120', approval: false },
      refused: undefined,
    })
  })

  it('may have a tool of a plain JSON Schema, or of another make', async () => {
    const plain = tool({ ...base, name: 'plain', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } })
    expect((await resolve(use('plain', '{"n":1,"extra":true}'), plain)).refused).toBeUndefined()
    const port: Tool = { name: 'port', description: 'd', inputSchema: { type: 'object', required: ['n'] }, run: () => '' }
    expect((await resolve(use('port', '{"n":1}'), port)).parsed).toEqual({ n: 1 })
    expect((await resolve(use('port'), port)).refused?.code).toBe('invalid_input')
  })

  it.each(['', 'null', ' '])('may have %j as input where nothing is required', async (text) => {
    const free = tool({ ...base, name: 'free', inputSchema: z.object({ a: z.string().optional() }) })
    expect((await resolve(use('free', text), free)).refused).toBeUndefined()
  })

  it('may have an input that a hook put in the place of one that could not be parsed', async () => {
    const free = tool({ ...base, name: 'free', inputSchema: z.object({ a: z.string() }) })
    const toolUse = use('free', '{"a":')
    expect((await resolveCall({ toolUse, tool: free, input: { a: 'mended' }, names })).refused).toBeUndefined()
  })
})

describe('a call that cannot run gets a result that says why', () => {
  const strict = tool({
    ...base,
    name: 'strict',
    inputSchema: z.object({ a: z.number() }),
    strict: true,
    isReadOnly: true,
    isConcurrencySafe: true,
  })
  const failing: Tool = {
    ...strict,
    name: 'failing',
    validate: () => {
      throw new RangeError('broken check')
    },
  }
  // tool() refuses such a schema; another maker of tools may not.
  const broken: Tool = {
    name: 'broken',
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
    run: () => 'ok',
  }

  it.each<[string, ReturnType<typeof use>, Tool | undefined, object]>([
    [
      'an unknown name, with those that are close',
      use('read-fil'),
      undefined,
      refusal('not_found', 'There is no tool "read-fil". Did you mean read_file?'),
    ],
    [
      'an unknown name like no other, with those that there are',
      use('browse'),
      undefined,
      refusal('not_found', 'There is no tool "browse". There are: read_file, write_file, grep.'),
    ],
    ['no name', use(''), undefined, refusal('not_found', 'There is no tool "". There are: read_file, write_file, grep.')],
    ['an illegal name', use('grep!'), undefined, refusal('not_found', 'There is no tool "grep!". Did you mean grep?')],
    [
      'a very long name',
      use(`${'x'.repeat(99)}😀`),
      undefined,
      refusal('not_found', `There is no tool "${'x'.repeat(99)}". There are: read_file, write_file, grep.`),
    ],
    [
      'input that is no JSON',
      use('strict', '{"a":1}{"b":2}'),
      strict,
      refusal(
        'invalid_input',
        `The input of strict is not a JSON object, so nothing was run: ${use('strict', '{"a":1}{"b":2}').invalidInput!.error}\nIt began: {"a":1}{"b":2}`,
      ),
    ],
    [
      'input that is no object',
      use('strict', '[1]'),
      strict,
      refusal(
        'invalid_input',
        'The input of strict is not a JSON object, so nothing was run: expected a JSON object, got an array\nIt began: [1]',
      ),
    ],
    [
      'input that does not fit',
      use('strict', '{"a":"x"}'),
      strict,
      invalid('The input of strict is not valid. Nothing was run.\n- a: Invalid input: expected number, received string'),
    ],
    [
      'unknown keys, of a strict tool',
      use('strict', '{"a":1,"b":2}'),
      strict,
      invalid('The input of strict is not valid. Nothing was run.\n- b: unknown key, expected one of "a"; got 2'),
    ],
    [
      'unknown keys and what does not fit, together',
      use('strict', '{"b":2}'),
      strict,
      invalid(
        'The input of strict is not valid. Nothing was run.\n- a: Invalid input: expected number, received undefined\n- b: unknown key, expected one of "a"; got 2',
      ),
    ],
    [
      'a check that throws',
      use('failing'),
      failing,
      { ...refusal('invalid_input', 'RangeError: broken check'), error: new RangeError('broken check') },
    ],
    [
      'a schema that cannot be used',
      use('broken', '{"a":1}'),
      broken,
      {
        ...refusal(
          'invalid_input',
          'ToolDefinitionError: The JSON Schema of the tool cannot be used: the $ref "#/nowhere" names nothing in it, and nothing is fetched',
        ),
        error: expect.any(Error) as unknown,
      },
    ],
  ])('%s', async (_what, toolUse, found, refused) => {
    expect(await resolve(toolUse, found)).toEqual({
      toolUse,
      tool: found,
      input: toolUse.input,
      parsed: toolUse.input,
      flags: unknownFlags,
      refused,
    })
  })

  it('when there are no tools at all, too', async () => {
    expect((await resolve(use('x'), undefined, [])).refused).toEqual(refusal('not_found', 'There is no tool "x". There are no tools.'))
  })
})
