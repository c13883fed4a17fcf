import { describe, expect, it } from 'vitest'
import { assistant, itemsOf, user } from './support/ask.ts'

const text = (value: string, data?: object): object => ({ type: 'text', text: value, ...(data && { provider: { openai: data } }) })
const thought = (value: string, data: object, signature?: string): object => ({
  type: 'reasoning',
  text: value,
  ...(signature && { signature }),
  provider: { openai: data },
})
const call = (id: string, data?: object): object => ({
  type: 'tool_use',
  id,
  name: 'add',
  input: { a: 1 },
  ...(data && { provider: { openai: data } }),
})
const result = (toolUseId: string, ...content: readonly object[]): object => ({
  type: 'tool_result',
  toolUseId,
  status: 'success',
  content,
})
const said = (value: string): object => ({ type: 'output_text', text: value, annotations: [] })
const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }

/** The items of an answer, the user's first word left out. */
const answerItems = async (...content: readonly object[]): Promise<readonly object[]> => {
  const [first, ...items] = await itemsOf(user('hello'), assistant(...content))
  expect(first).toEqual(hello)
  return items
}

describe('an answer that came from here', () => {
  it('goes back as the items that it came in, with their ids', async () => {
    expect(
      await answerItems(
        thought('a', { itemId: 'rs_1', part: 'summary' }),
        thought('b', { itemId: 'rs_1', part: 'summary' }, 'secret'),
        text('Look.', { itemId: 'msg_1', phase: 'commentary' }),
        text('Look again.', { itemId: 'msg_1', phase: 'commentary' }),
        call('c1', { id: 'call_1', itemId: 'fc_1' }),
      ),
    ).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'a' },
          { type: 'summary_text', text: 'b' },
        ],
        encrypted_content: 'secret',
      },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        status: 'completed',
        phase: 'commentary',
        content: [said('Look.'), said('Look again.')],
      },
      { type: 'function_call', id: 'fc_1', status: 'completed', call_id: 'call_1', name: 'add', arguments: '{"a":1}' },
    ])
  })

  it('keeps apart thoughts that have no ids', async () => {
    expect(await answerItems(thought('', { part: 'none' }, 's1'), thought('', { part: 'none' }, 's2'), text('hi'))).toEqual([
      { type: 'reasoning', summary: [], encrypted_content: 's1' },
      { type: 'reasoning', summary: [], encrypted_content: 's2' },
      { type: 'message', role: 'assistant', content: [said('hi')] },
    ])
  })

  it('gives thoughts back that came in full, though not encrypted', async () => {
    expect(await answerItems(thought('hm', { itemId: 'r', part: 'content' }), text('hi', { itemId: 'm' }))).toEqual([
      { type: 'reasoning', id: 'r', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', id: 'm', status: 'completed', content: [said('hi')] },
    ])
  })

  it('loses its ids with thoughts that cannot go back, as the API would miss these', async () => {
    expect(
      await answerItems(
        thought('hm', { itemId: 'rs_1', part: 'summary' }),
        text('hi', { itemId: 'msg_1' }),
        call('c1', { id: 'call_1', itemId: 'fc_1' }),
      ),
    ).toEqual([
      { type: 'message', role: 'assistant', content: [said('hi')] },
      { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1}' },
    ])
  })

  it('drops thoughts that nothing follows', async () => {
    expect(await answerItems(text('hi', { itemId: 'msg_1' }), thought('', { itemId: 'rs_1', part: 'none' }, 's'))).toEqual([
      { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [said('hi')] },
    ])
  })

  it('sends no id that is too long or came twice', async () => {
    expect(
      await answerItems(
        text('a', { itemId: 'x'.repeat(65) }),
        call('c1', { id: 'same', itemId: 'fc' }),
        call('c2', { id: 'same', itemId: 'fc' }),
        call('c3', { id: 'y'.repeat(65) }),
      ),
    ).toEqual([
      { type: 'message', role: 'assistant', content: [said('a')] },
      { type: 'function_call', id: 'fc', status: 'completed', call_id: 'same', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c2', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c3', name: 'add', arguments: '{"a":1}' },
    ])
  })

  it('has its refusals and its sources', async () => {
    const annotation = { type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 2 }
    expect(
      await answerItems(
        {
          ...text('hi', { itemId: 'm' }),
          citations: [{ url: 'https://a.test', provider: { openai: annotation } }, { url: 'https://b.test' }],
        },
        text('No.', { itemId: 'm', refusal: true }),
      ),
    ).toEqual([
      {
        type: 'message',
        role: 'assistant',
        id: 'm',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'hi', annotations: [annotation] },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ])
  })

  it('has the calls of the server with what came of them, but none that is still to be answered', async () => {
    const own = (item: object): object => ({ openai: { item } })
    expect(
      await answerItems(
        { type: 'server_tool_use', id: 'fs', name: 'file_search', input: {}, provider: own({ type: 'file_search_call', id: 'fs' }) },
        { type: 'server_tool_use', id: 'ws', name: 'web_search', input: {}, provider: own({ type: 'web_search_call', id: 'ws' }) },
        { type: 'server_tool_result', toolUseId: 'fs', content: [1], provider: { openai: { field: 'results' } } },
        { type: 'server_tool_use', id: 'c1', name: 'shell', input: {}, provider: own({ type: 'shell_call', id: 'sh1', call_id: 'c1' }) },
        {
          type: 'server_tool_result',
          toolUseId: 'c1',
          content: ['ok'],
          provider: { openai: { item: { type: 'shell_call_output', call_id: 'c1' }, field: 'output' } },
        },
        { type: 'server_tool_use', id: 'c2', name: 'shell', input: {}, provider: own({ type: 'shell_call', id: 'sh2', call_id: 'c2' }) },
        { type: 'server_tool_use', id: 'w', name: 'web_search', input: {}, provider: { anthropic: { type: 'server_tool_use' } } },
      ),
    ).toEqual([
      { type: 'file_search_call', id: 'fs', results: [1] },
      { type: 'web_search_call', id: 'ws' },
      { type: 'shell_call', id: 'sh1', call_id: 'c1' },
      { type: 'shell_call_output', call_id: 'c1', output: ['ok'] },
    ])
  })
})

describe('an answer that came from elsewhere', () => {
  it('is told in words and calls', async () => {
    expect(
      await answerItems(
        { type: 'reasoning', text: 'hm', signature: 's', provider: { anthropic: { type: 'thinking' } } },
        { type: 'text', text: 'hi', provider: { google: { x: 1 } } },
        { type: 'text', text: 'there' },
        { type: 'tool_use', id: 'call-ours', name: 'add', input: {}, provider: { anthropic: { id: 'toolu_1' } } },
        { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } },
      ),
    ).toEqual([
      { type: 'message', role: 'assistant', content: [said('hi'), said('there')] },
      { type: 'function_call', call_id: 'call-ours', name: 'add', arguments: '{}' },
    ])
  })

  it('is told with the ids of its calls when it came through Chat Completions', async () => {
    expect(await answerItems({ type: 'reasoning', text: 'hm' }, text('hi'), call('c1', { id: 'call_1', extra_content: { a: 1 } }))).toEqual(
      [
        { type: 'message', role: 'assistant', content: [said('hi')] },
        { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1}' },
      ],
    )
  })

  it('says nothing when nothing of it can be told', async () => {
    expect(await answerItems({ type: 'reasoning', text: 'hm', signature: 's', provider: { anthropic: {} } })).toEqual([])
  })
})

describe('a word of the user', () => {
  it('comes behind the results, of which each is sent once under the id of its call', async () => {
    const items = await itemsOf(
      user('hello'),
      assistant(call('c1', { id: 'call_1' }), call('c2', { id: 'call_1' })),
      user(
        result('c1', { type: 'text', text: '1' }, { type: 'json', value: { b: 2 } }),
        result('c2', { type: 'text', text: '2' }),
        'go on',
      ),
    )
    expect(items.slice(3)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: '1\n{"b":2}' },
      { type: 'function_call_output', call_id: 'c2', output: '2' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
    ])
  })

  it('may hold images and documents, and so may a result', async () => {
    const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } }
    const items = await itemsOf(
      user(
        image,
        { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://a.test/a.png' } },
        { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'AA==' } },
        { type: 'document', mediaType: 'application/pdf', title: 'a.pdf', source: { type: 'base64', data: 'AA==' } },
        { type: 'document', mediaType: 'application/pdf', source: { type: 'url', url: 'https://a.test/a.pdf' } },
        { type: 'document', mediaType: 'text/plain', title: 'note', source: { type: 'text', text: 'words' } },
        { type: 'document', mediaType: 'text/csv', source: { type: 'base64', data: btoa('a,b') } },
        { type: 'cache_point' },
      ),
      assistant(call('c1')),
      user(result('c1', { type: 'text', text: 'see' }, image)),
    )
    const wireImage = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA==' }
    expect(items[0]).toEqual({
      type: 'message',
      role: 'user',
      content: [
        wireImage,
        { type: 'input_image', detail: 'auto', image_url: 'https://a.test/a.png' },
        { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,AA==' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
        { type: 'input_file', file_url: 'https://a.test/a.pdf' },
        { type: 'input_text', text: 'note:\n\nwords' },
        { type: 'input_text', text: 'a,b' },
      ],
    })
    expect(items[2]).toEqual({ type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'see' }, wireImage] })
  })
})
