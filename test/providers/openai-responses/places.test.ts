// Servers that say 0 of each place, or none at all, and that give calls only with the whole response.
import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answer } from '../support/answer.ts'
import { fakeFetch } from '../support/fake-fetch.ts'
import { adds, begins, call, completed, ends, message, passed, passes, says, sse } from './support/sse.ts'

const read = async (...events: readonly JsonObject[]) => {
  const { fetch } = fakeFetch(sse(begins(), ...events))
  const { message: made, error } = await answer(openai('m', { apiKey: 'k', fetch }))
  if (!made) throw error
  return [
    made.stopReason,
    ...made.content.map((block) =>
      block.type === 'text' || block.type === 'reasoning'
        ? `${block.type} ${block.text}`
        : block.type === 'tool_use'
          ? `${String(block.provider?.['openai']?.['id'])} ${block.invalidInput?.text ?? JSON.stringify(block.input)}`
          : block.type,
    ),
  ]
}
const without = (event: JsonObject, itemId: string): JsonObject => {
  const { output_index: _place, ...rest } = event
  return { ...rest, item_id: itemId }
}
const first = (input: string) => call(input, { id: 'fc_1', call_id: 'call_A' })
const second = (input: string) => call(input, { id: 'fc_2', call_id: 'call_B' })

describe('one place for all items', () => {
  it('holds a text, then a call', async () =>
    expect(
      await read(
        adds(0, message('')),
        says(0, 'Hi', { item_id: 'msg_1' }),
        ends(0, message('Hi')),
        adds(0, first('')),
        passes(0, '{"a":'),
        passes(0, '1}'),
        passed(0, '{"a":1}'),
        ends(0, first('{"a":1}')),
        completed(),
      ),
    ).toEqual(['tool_use', 'text Hi', 'call_A {"a":1}']))

  it('holds a thought, a text and two calls, whose pieces alternate', async () =>
    expect(
      await read(
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, item_id: 'rs_1', delta: 'hm' },
        says(0, 'H', { item_id: 'msg_1' }),
        adds(0, first('')),
        adds(0, second('')),
        { ...passes(0, '{"a":'), item_id: 'fc_1' },
        { ...passes(0, '{"b":'), item_id: 'fc_2' },
        says(0, 'i', { item_id: 'msg_1' }),
        { ...passes(0, '1}'), item_id: 'fc_1' },
        { ...passes(0, '2}'), item_id: 'fc_2' },
        ends(0, first('{"a":1}')),
        ends(0, second('{"b":2}')),
        completed(),
      ),
    ).toEqual(['tool_use', 'reasoning hm', 'text Hi', 'call_A {"a":1}', 'call_B {"b":2}']))

  it('holds a second item whose beginning was lost', async () =>
    expect(await read(adds(0, first('')), ends(0, first('{"a":1}')), ends(0, second('{"b":2}')), completed())).toEqual([
      'tool_use',
      'call_A {"a":1}',
      'call_B {"b":2}',
    ]))

  it('holds one item that is announced twice', async () =>
    expect(await read(adds(0, first('')), adds(0, first('')), ends(0, first('{"a":1}')), completed())).toEqual([
      'tool_use',
      'call_A {"a":1}',
    ]))
})

describe('no place', () => {
  it('tells calls apart by their ids', async () =>
    expect(
      await read(
        without(adds(0, first('')), 'fc_1'),
        without(adds(0, second('')), 'fc_2'),
        without(passes(0, '{"a":1}'), 'fc_1'),
        without(passes(0, '{"b":2}'), 'fc_2'),
        without(ends(0, first('{"a":1}')), 'fc_1'),
        without(ends(0, second('{"b":2}')), 'fc_2'),
        completed(),
      ),
    ).toEqual(['tool_use', 'call_A {"a":1}', 'call_B {"b":2}']))

  it('and a text from a call by its kind, where ids are missing too', async () => {
    const bare = (event: JsonObject): JsonObject => {
      const { output_index: _place, item_id: _id, ...rest } = event
      return rest
    }
    expect(
      await read(
        ...[says(0, 'Hi'), adds(0, first('')), passes(0, '{"a":1}'), says(0, '!'), ends(0, first('{"a":1}'))].map(bare),
        completed(),
      ),
    ).toEqual(['tool_use', 'text Hi!', 'call_A {"a":1}'])
  })
})

describe('items that stand only in the whole response', () => {
  it('count where none of their kind was told', async () => {
    expect(await read(says(0, 'Hi'), completed({ output: [message('Hi'), first('{"a":1}'), second('{"b":2}')] }))).toEqual([
      'tool_use',
      'text Hi',
      'call_A {"a":1}',
      'call_B {"b":2}',
    ])
    expect(await read(adds(0, first('')), ends(0, first('{"a":1}')), completed({ output: [first('{"a":1}'), message('Hi')] }))).toEqual([
      'tool_use',
      'call_A {"a":1}',
      'text Hi',
    ])
  })

  it('and else do not: a call must not run twice, whatever its id is in the end', async () =>
    expect(
      await read(
        adds(0, first('')),
        ends(0, first('{"a":1}')),
        completed({ output: [call('{"a":1}', { id: 'fc_9', call_id: 'call_Z' })] }),
      ),
    ).toEqual(['tool_use', 'call_A {"a":1}']))

  it('and none that is null', async () =>
    expect(
      await read({ type: 'response.output_item.added', output_index: 0, item: null }, says(1, 'Hi'), completed({ output: [null] })),
    ).toEqual(['end_turn', 'text Hi']))
})
