import { describe, expect, it } from 'vitest'
import type { ModelRequest, ToolSpec } from '../../../src/models/model.ts'
import { google } from '../../../src/providers/google/index.ts'
import { assistant, bodyOf, called, history, result, sentBy, user } from './support/ask.ts'

const tools: readonly ToolSpec[] = [
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } },
]
const declared = [
  {
    functionDeclarations: [
      { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object', properties: { at: { type: 'number' } } } },
    ],
  },
]
const plain = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
const output = { name: 'out', schema: { type: 'object', properties: { kind: { const: 'a' } } } }
const json = { responseMimeType: 'application/json', responseJsonSchema: { type: 'object', properties: { kind: { enum: ['a'] } } } }

describe('a request', () => {
  it('goes to the model, as events, with the key', async () => {
    const { url, headers } = await sentBy({})
    expect([url, headers]).toEqual([
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      { 'content-type': 'application/json', accept: 'text/event-stream', 'x-goog-api-key': 'k' },
    ])
  })

  it.each([
    ['gemini-x', 'https://gate.example/v1beta', 'https://gate.example/v1beta/models/gemini-x:streamGenerateContent?alt=sse'],
    ['gemini-x', 'https://gate.example/v1/?tenant=7', 'https://gate.example/v1/models/gemini-x:streamGenerateContent?tenant=7&alt=sse'],
    ['tunedModels/mine', 'https://gate.example', 'https://gate.example/tunedModels/mine:streamGenerateContent?alt=sse'],
  ])('for %s goes from the base %s to %s', async (id, baseURL, expected) => expect((await sentBy({}, id, { baseURL })).url).toBe(expected))

  it('bears the headers of the user', async () => {
    const { headers } = await sentBy({}, 'm', { apiKey: 'k', headers: { 'X-Goog-Api-Key': 'mine', 'X-Team': 'blue' } })
    expect(headers).toEqual({ 'content-type': 'application/json', accept: 'text/event-stream', 'x-goog-api-key': 'mine', 'x-team': 'blue' })
  })

  const rows: readonly (readonly [name: string, asked: Partial<ModelRequest>, fields: object])[] = [
    ['nothing but the message', {}, {}],
    [
      'a system prompt',
      {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'cache_point' },
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      { systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } },
    ],
    [
      'settings',
      { settings: { maxTokens: 99, temperature: 0.5, topP: 0.9, stopSequences: ['END'] } },
      { generationConfig: { maxOutputTokens: 99, temperature: 0.5, topP: 0.9, stopSequences: ['END'] } },
    ],
    ['no stop sequences', { settings: { stopSequences: [] } }, {}],
    ['tools', { tools }, { tools: declared }],
    [
      'a tool that takes nothing',
      { tools: [{ name: 'now', description: 'Tells the time.', inputSchema: { type: 'object', properties: {} } }] },
      { tools: [{ functionDeclarations: [{ name: 'now', description: 'Tells the time.' }] }] },
    ],
    ['no tool now', { tools, toolChoice: 'none' }, { tools: declared, toolConfig: { functionCallingConfig: { mode: 'NONE' } } }],
    ['any tool', { tools, toolChoice: 'required' }, { tools: declared, toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
    [
      'one tool',
      { tools, toolChoice: { name: 'look' } },
      { tools: declared, toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } } },
    ],
    ['a choice without tools', { toolChoice: 'required' }, {}],
    ['an output', { output }, { generationConfig: json }],
    ['an output beside tools', { output, tools }, { generationConfig: json, tools: declared }],
    [
      'no output where a call is forced',
      { output, tools, toolChoice: 'required' },
      { tools: declared, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    ],
    [
      'fields of the user, among ours',
      { settings: { maxTokens: 5, extra: { generationConfig: { seed: 7 }, safetySettings: [], contents: [] } } },
      { generationConfig: { maxOutputTokens: 5, seed: 7 }, safetySettings: [] },
    ],
    [
      'more of what we choose',
      {
        tools,
        toolChoice: 'required',
        settings: { extra: { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } } },
      },
      { tools: declared, toolConfig: { functionCallingConfig: { mode: 'ANY', streamFunctionCallArguments: true } } },
    ],
    [
      'tools that the server runs',
      { tools, settings: { extra: { tools: [{ googleSearch: {} }] } } },
      { tools: [...declared, { googleSearch: {} }] },
    ],
    [
      'a system prompt of the user',
      { system: [{ type: 'text', text: 'a' }], settings: { extra: { systemInstruction: { parts: [{ text: 'b' }] } } } },
      { systemInstruction: { parts: [{ text: 'b' }] } },
    ],
  ]
  it.each(rows)('holds %s', async (_name, asked, fields) => expect(await bodyOf(asked)).toEqual({ ...plain, ...fields }))

  it('holds the settings and the body of the model, under those of the request', async () => {
    const options = {
      apiKey: 'k',
      maxTokens: 2,
      topP: 0.3,
      extra: { labels: { a: '2' } },
      body: { labels: { a: '1', b: '1' }, systemInstruction: undefined },
    }
    const body = await bodyOf({ system: [{ type: 'text', text: 'gone' }], settings: { maxTokens: 1 } }, 'm', options)
    expect(body).toEqual({ ...plain, generationConfig: { maxOutputTokens: 1, topP: 0.3 }, labels: { a: '2', b: '1' } })
  })

  const bytes = { type: 'base64', data: 'aGk=' }
  const pdf = { type: 'document', mediaType: 'application/pdf' }
  const media: readonly (readonly [name: string, block: object, wire: object])[] = [
    [
      'bytes of an image',
      { type: 'image', mediaType: 'image/png', source: bytes },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    ],
    [
      'an image by its address',
      { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://e.example/a.png' } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://e.example/a.png' } },
    ],
    ['bytes of a PDF', { ...pdf, source: bytes, title: 'Plan' }, { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } }],
    [
      'a document by its address',
      { ...pdf, source: { type: 'url', url: 'gs://b/a.pdf' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/a.pdf' } },
    ],
    [
      'a text as a document',
      { ...pdf, mediaType: 'text/plain', source: { type: 'text', text: 'hi' }, title: 'Note' },
      { text: 'Note:\n\nhi' },
    ],
    ['bytes of a text', { ...pdf, mediaType: 'application/json', source: bytes }, { text: 'hi' }],
  ]
  it.each(media)('holds %s', async (_name, block, wire) => {
    const { contents } = await bodyOf({ messages: history(user('look:', { type: 'cache_point' }, block)) })
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'look:' }, wire] }])
  })

  it('holds results first, in order and by name, then what belongs to them, then what was said', async () => {
    const image = { type: 'image', mediaType: 'image/png', source: bytes }
    const note = { ...pdf, mediaType: 'text/plain', source: { type: 'text', text: 'a note' } }
    const { contents } = await bodyOf({
      messages: history(
        user('go'),
        assistant('Let me see.', called('call_1', 'look', { id: 'fc_a' }), called('call_2', 'list', { id: 'fc_a' }), called('call_3')),
        user(
          { type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'json', value: { $ref: '#/a' } }, image, note] },
          {
            type: 'tool_result',
            toolUseId: 'call_2',
            status: 'error',
            code: 'timeout',
            content: [{ type: 'text', text: 'too late' }, image],
          },
          result('call_3', ' '),
          'and now?',
        ),
      ),
    })
    const args = { at: 1 }
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'Let me see.' },
          { functionCall: { id: 'fc_a', name: 'look', args } },
          { functionCall: { id: 'call_2', name: 'list', args } },
          { functionCall: { id: 'call_3', name: 'look', args } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'fc_a',
              name: 'look',
              response: { result: '{"$ref":"#/a"}\n[image, image/png: attachment 1 behind the results]\na note' },
            },
          },
          {
            functionResponse: {
              id: 'call_2',
              name: 'list',
              response: { error: 'too late\n[image, image/png: attachment 2 behind the results]' },
            },
          },
          { functionResponse: { id: 'call_3', name: 'look', response: { result: '[no content]' } } },
          { text: 'Attachment 1:' },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
          { text: 'Attachment 2:' },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
          { text: 'and now?' },
        ],
      },
    ])
  })

  it('is well-formed even where a text was cut inside a character', async () => {
    expect((await sentBy({ system: [{ type: 'text', text: 'half \ud83d' }] })).text).toContain('half \ufffd')
  })
})

describe('google()', () => {
  it('refuses what is no name and no URL', () => {
    expect(() => google('')).toThrow('google(): expected the name of a model, such as "gemini-3.1-pro", got "".')
    expect(() => google('m', { baseURL: 'here' })).toThrow(
      'google({ baseURL }): expected a URL such as "https://generativelanguage.googleapis.com/v1beta", got "here".',
    )
  })

  it.each([
    ['gemini-3.1-pro-preview', 'native', 1_048_576],
    ['gemini-flash-latest', 'native', 1_048_576],
    ['models/gemini-2.5-pro', 'forced_tool', 1_048_576],
    ['gemini-2.0-flash', 'forced_tool', 1_048_576],
    ['gemini-3-pro-image-preview', 'native', undefined],
    ['gemini-pro', 'forced_tool', undefined],
    ['gemma-3-27b-it', 'forced_tool', undefined],
  ])('knows %s', (id, output, contextWindow) => {
    const model = google(id)
    expect([model.provider, model.id, model.abilities, model.contextWindow]).toEqual([
      'google',
      id,
      { output, images: true, documents: true },
      contextWindow,
    ])
  })
})
