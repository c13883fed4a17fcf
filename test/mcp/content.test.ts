import { describe, expect, it } from 'vitest'
import { contentFrom, usualMediaTypes } from '../../src/mcp/result-content.ts'
import { outcomeFrom } from '../../src/mcp/tool-result.ts'

const shown = (block: object, mediaTypes = usualMediaTypes): unknown => contentFrom(block as never, mediaTypes)

describe('a block of a result', () => {
  const cases: readonly [what: string, block: object, expected: object][] = [
    ['text', { type: 'text', text: 'Hi.', annotations: { priority: 1 } }, { type: 'text', text: 'Hi.' }],
    [
      'a picture',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } },
    ],
    [
      'a picture that no model takes',
      { type: 'image', data: 'AAA=', mimeType: 'image/x-icon' },
      { type: 'text', text: '[image of type image/x-icon, 2 bytes: not shown]' },
    ],
    [
      'a sound',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'text', text: '[audio of type audio/wav, 3 bytes: not shown]' },
    ],
    [
      'a text resource',
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/markdown', text: '# A' } },
      { type: 'text', text: '[resource file:///a (text/markdown)]\n# A' },
    ],
    [
      'a document',
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'AAAA' } },
      { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'AAAA' }, title: 'file:///a.pdf' },
    ],
    [
      'bytes',
      { type: 'resource', resource: { uri: 'x://b', blob: 'AAAA' } },
      { type: 'text', text: '[resource x://b of type application/octet-stream, 3 bytes: not shown]' },
    ],
    [
      'a link',
      { type: 'resource_link', uri: 'x://l', name: 'l', title: 'The L', mimeType: 'text/plain', description: 'An L.' },
      { type: 'text', text: '[resource x://l (The L, text/plain)]\nAn L.' },
    ],
    ['what is new', { type: 'hologram' }, { type: 'text', text: '[a block of the unknown type "hologram"]' }],
  ]
  it.each(cases)('that is %s', (_, block, expected) => {
    expect(shown(block)).toEqual(expected)
  })

  it('that is a sound is passed on to a model that hears', () => {
    expect(shown({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }, ['audio/wav'])).toEqual({
      type: 'document',
      mediaType: 'audio/wav',
      source: { type: 'base64', data: 'AAAA' },
    })
  })
})

describe('a result', () => {
  const options = { toolName: 't', outputSchema: undefined, mediaTypes: usualMediaTypes }
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

  it('with an error is an error', async () => {
    expect(await outcomeFrom({ content: [{ type: 'text', text: 'No.' }], isError: true }, { ...options, outputSchema })).toEqual({
      status: 'error',
      content: [{ type: 'text', text: 'No.' }],
    })
  })

  it('keeps its structure, and shows it where there is nothing else', async () => {
    expect(await outcomeFrom({ content: [], structuredContent: { n: 1 } }, { ...options, outputSchema })).toEqual({
      status: 'success',
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { n: 1 },
    })
  })

  it('without the structure that was promised is an error that keeps what came', async () => {
    expect(await outcomeFrom({ content: [{ type: 'text', text: '1' }] }, { ...options, outputSchema })).toEqual({
      status: 'error',
      content: [
        { type: 'text', text: '1' },
        { type: 'text', text: 'The tool t ran, but gave no structured result, although its server promises one.' },
      ],
    })
  })
})
