import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

type Piece = { readonly index?: number; readonly id?: string; readonly name?: string; readonly args?: unknown }

const spec = (
  name: string,
): { readonly name: string; readonly description: string; readonly inputSchema: object & Record<string, unknown> } => ({
  name,
  description: 'x',
  inputSchema: { type: 'object' },
})

async function streamed(
  pieces: readonly Piece[],
  options: { readonly tools?: readonly string[]; readonly finish?: string | null } = {},
): Promise<Awaited<ReturnType<typeof answer>>> {
  const wire = pieces.map(({ index, id, name, args }) => chunk({ tool_calls: [{ index, id, function: { name, arguments: args } }] }))
  const { fetch } = fakeFetch(chunks(...wire, ...(options.finish === null ? [] : [chunk({}, options.finish ?? 'tool_calls')])))
  return answer(
    openai('gpt', { api: 'chat', apiKey: 'k', fetch, provider: 'p' }),
    request({ tools: (options.tools ?? ['add', 'look']).map(spec) }),
  )
}

/** The calls that come of the pieces: `id name input`. */
async function calls(pieces: readonly Piece[], options: Parameters<typeof streamed>[1] = {}): Promise<readonly string[]> {
  const { message, error } = await streamed(pieces, options)
  if (!message) throw error
  return message.content.map((block) =>
    block.type === 'tool_use'
      ? `${String(block.provider?.['p']?.['id'] ?? '-')} ${block.name} ${block.invalidInput?.text ?? JSON.stringify(block.input)}`
      : block.type,
  )
}

const table: readonly (readonly [
  what: string,
  pieces: readonly Piece[],
  calls: readonly string[],
  options?: Parameters<typeof streamed>[1],
])[] = [
  [
    'ids and indexes',
    [
      { index: 0, id: 'a', name: 'add', args: '' },
      { index: 0, args: '{"x":' },
      { index: 0, args: '1}' },
      { index: 1, id: 'b', name: 'look', args: '{}' },
    ],
    ['a add {"x":1}', 'b look {}'],
  ],
  [
    'pieces of two calls in turn',
    [
      { index: 0, id: 'a', name: 'add' },
      { index: 1, id: 'b', name: 'look' },
      { index: 0, args: '{"x":' },
      { index: 1, args: '{"y":' },
      { index: 0, args: '1}' },
      { index: 1, args: '2}' },
    ],
    ['a add {"x":1}', 'b look {"y":2}'],
  ],
  [
    'indexes alone',
    [
      { index: 0, name: 'add' },
      { index: 0, args: '{"x":1}' },
      { index: 1, name: 'look' },
      { index: 1, args: '{"y":2}' },
    ],
    ['- add {"x":1}', '- look {"y":2}'],
  ],
  [
    'ids alone, on each piece',
    [
      { id: 'a', name: 'add', args: '{"x":' },
      { id: 'a', args: '1}' },
      { id: 'b', name: 'look', args: '{"y":' },
      { id: 'b', args: '2}' },
    ],
    ['a add {"x":1}', 'b look {"y":2}'],
  ],
  [
    'ids alone, on the first piece',
    [{ id: 'a', name: 'add', args: '' }, { args: '{"x":1}' }, { id: 'b', name: 'look', args: '' }, { args: '{"y":2}' }],
    ['a add {"x":1}', 'b look {"y":2}'],
  ],
  ['neither', [{ name: 'add' }, { args: '{"x":1}' }, { name: 'look' }, { args: '{"y":2}' }], ['- add {"x":1}', '- look {"y":2}']],
  [
    'neither, and the same tool twice',
    [
      { name: 'add', args: '{"x":1}' },
      { name: 'add', args: '{"x":2}' },
    ],
    ['- add {"x":1}', '- add {"x":2}'],
  ],
  [
    'one index for all',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":1}' },
      { index: 0, id: 'b', name: 'add', args: '{"x":2}' },
    ],
    ['a add {"x":1}', 'b add {"x":2}'],
  ],
  [
    'one index for all, without ids',
    [
      { index: 0, name: 'add', args: '{"x":1}' },
      { index: 0, name: 'look', args: '{"y":2}' },
      { index: 0, name: 'look', args: '{"y":3}' },
    ],
    ['- add {"x":1}', '- look {"y":2}', '- look {"y":3}'],
  ],
  [
    'a head at the index of the call before, its tail at one of its own',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":1}' },
      { index: 0, id: 'b', name: 'look', args: '' },
      { index: 1, args: '{"y":' },
      { index: 1, args: '2}' },
    ],
    ['a add {"x":1}', 'b look {"y":2}'],
  ],
  [
    'a known id at another index',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":' },
      { index: 1, id: 'b', name: 'look', args: '{"y":' },
      { index: 1, id: 'a', args: '1}' },
      { index: 1, args: '2}' },
    ],
    ['a add {"x":1}', 'b look {"y":2}'],
  ],
  [
    'an id that changes with each piece',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":' },
      { index: 0, id: 'a2', args: '1}' },
    ],
    ['a add {"x":1}'],
  ],
  [
    'an id that is empty later',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":' },
      { index: 0, id: '', args: '1}' },
    ],
    ['a add {"x":1}'],
  ],
  [
    'an id that two calls have',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":1}' },
      { index: 1, id: 'a', name: 'add', args: '{"x":2}' },
    ],
    ['a add {"x":1}', '- add {"x":2}'],
  ],
  [
    'an id before everything',
    [
      { index: 0, id: 'a' },
      { index: 0, name: 'add' },
      { index: 0, args: '{"x":1}' },
    ],
    ['a add {"x":1}'],
  ],
  [
    'a name that comes after the input',
    [
      { index: 0, id: 'a', args: '{"x":' },
      { index: 0, name: 'add', args: '1}' },
    ],
    ['a add {"x":1}'],
  ],
  [
    'a name in pieces',
    [
      { index: 0, id: 'a', name: 'ad' },
      { index: 0, name: 'd' },
      { index: 0, args: '{"x":1}' },
    ],
    ['a add {"x":1}'],
  ],
  ['a name in pieces, without index', [{ id: 'a', name: 'ad' }, { name: 'd' }, { args: '{"x":1}' }], ['a add {"x":1}']],
  [
    'a name whose beginning is another name',
    [
      { index: 0, id: 'a', name: 'add' },
      { index: 0, name: '_all' },
      { index: 0, args: '{}' },
    ],
    ['a add_all {}'],
    { tools: ['add', 'add_all'] },
  ],
  [
    'a name that grows',
    [
      { index: 0, id: 'a', name: 'ad' },
      { index: 0, name: 'add' },
      { index: 0, args: '{}' },
    ],
    ['a add {}'],
  ],
  [
    'a name that is repeated',
    [
      { index: 0, name: 'add', args: '' },
      { index: 0, name: 'add', args: '{"x":' },
      { index: 0, name: 'add', args: '1}' },
      { index: 0, name: 'add', args: '' },
    ],
    ['- add {"x":1}'],
  ],
  [
    'an unknown name',
    [
      { index: 0, id: 'a', name: 'nope' },
      { index: 0, args: '{}' },
    ],
    ['a nope {}'],
  ],
  [
    'no input at all',
    [
      { index: 0, id: 'a', name: 'add' },
      { index: 1, id: 'b', name: 'nope' },
    ],
    ['a add {}', 'b nope {}'],
  ],
  ['input that is an object', [{ index: 0, id: 'a', name: 'add', args: { x: 1 } }], ['a add {"x":1}']],
  [
    'blank input behind the end',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":1}' },
      { index: 0, args: '' },
      { index: 0, args: ' ' },
    ],
    ['a add {"x":1}'],
  ],
  [
    'more input behind the end',
    [
      { index: 0, id: 'a', name: 'add', args: '{"x":1}' },
      { index: 0, args: '{"x":2}' },
    ],
    ['a add {"x":1}{"x":2}'],
  ],
  ['input that is cut', [{ index: 0, id: 'a', name: 'add', args: '{"x":' }], ['a add {"x":'], { finish: 'length' }],
  ['an empty piece that is no call', [{ index: 0, id: 'a', name: 'add', args: '{}' }, { index: 1 }], ['a add {}']],
  ['an end by [DONE] alone', [{ index: 0, id: 'a', name: 'add', args: '{"x":1}' }], ['a add {"x":1}'], { finish: null }],
]

describe('calls with', () => {
  it.each(table.map(([what, ...rest]) => [what, rest] as const))('%s', async (_what, [pieces, expected, options]) =>
    expect(await calls(pieces, options)).toEqual(expected),
  )

  it('the legacy form of a call', async () => {
    const { fetch } = fakeFetch(
      chunks(
        chunk({ function_call: { name: 'add', arguments: '' } }),
        chunk({ function_call: { arguments: '{"x":1}' } }),
        chunk({}, 'function_call'),
      ),
    )
    const { message } = await answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch }))
    expect(message).toMatchObject({ content: [{ type: 'tool_use', name: 'add', input: { x: 1 } }], stopReason: 'tool_use' })
  })
})

describe('the events of a call', () => {
  const kinds = (events: readonly ModelEvent[]): readonly string[] =>
    events.map((event) => ('index' in event ? `${event.type} ${event.index}` : event.type))

  it('begin with the name and end when the input closes, before the message does', async () => {
    const { events } = await streamed([
      { index: 0, id: 'a', name: 'add' },
      { index: 0, args: '{"x"' },
      { index: 0, args: ':1}' },
      { index: 1, id: 'b', name: 'look' },
    ])
    expect(kinds(events)).toEqual([
      'message_start',
      'block_start 0',
      'block_delta 0',
      'block_delta 0',
      'block_stop 0',
      'block_start 1',
      'block_stop 1',
      'message_stop',
    ])
  })

  it('come in the order of the calls, though a name is late', async () => {
    const { events } = await streamed([
      { index: 0, id: 'a', name: 'no' },
      { index: 1, id: 'b', name: 'add' },
      { index: 0, args: '{}' },
    ])
    expect(kinds(events)).toEqual([
      'message_start',
      'block_start 0',
      'block_start 1',
      'block_delta 0',
      'block_stop 0',
      'block_stop 1',
      'message_stop',
    ])
  })
})
