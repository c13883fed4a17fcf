import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { LanguageModelV3Message } from 'ai-sdk-provider-3'
import { describe, expect, it } from 'vitest'
import { document, image } from '../../../src/messages/content.ts'
import type { AiSdkOptions } from '../../../src/providers/ai-sdk/index.ts'
import { assistant, called, failure, history, promptOf, result, user } from './support/ask.ts'
import type { Traits } from './support/scripted.ts'

const png = image('aGk=', 'image/png')
const pdf = document('JVBE', 'application/pdf', 'a.pdf')
const said = async (blocks: readonly object[], traits: Traits = {}): Promise<unknown> =>
  (await promptOf({ messages: history(user(...blocks)) }, {}, traits))[0]!.content
const at = (url: string): URL => new URL(url)

describe('pictures and documents go out', () => {
  const blocks = [png, image(at('https://x.test/b.png'), 'image/png'), pdf, document('JVBE', 'application/pdf')]

  it('as files of v4', async () => {
    expect(await said(blocks)).toEqual([
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url: at('https://x.test/b.png') } },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: 'JVBE' } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'JVBE' } },
    ] satisfies LanguageModelV4Message['content'])
  })

  it('as files of v3', async () => {
    expect(await said(blocks, { version: 'v3' })).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'image/png', data: at('https://x.test/b.png') },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: 'JVBE' },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBE' },
    ] satisfies LanguageModelV3Message['content'])
  })

  it('as text, where they are text', async () => {
    const texts = [
      document('as it is', 'text/plain'),
      document('as it is', 'text/plain', 'note.txt'),
      document(btoa('{"a":1}'), 'application/json', 'a.json'),
      document(btoa('a,b'), 'text/csv'),
      { type: 'image', mediaType: 'image/svg+xml', source: { type: 'text', text: '<svg/>' } },
    ]
    expect(await said(texts)).toEqual(
      ['as it is', 'note.txt:\n\nas it is', 'a.json:\n\n{"a":1}', 'a,b', '<svg/>'].map((text) => ({ type: 'text', text })),
    )
  })
})

describe('a document that is an address', () => {
  const links = [document(at('https://X.test/A.pdf'), 'application/pdf', 'a.pdf'), document(at('https://x.test/b.pdf'), 'application/pdf')]
  const asLinks = ['a.pdf: https://x.test/A.pdf', 'Document: https://x.test/b.pdf'].map((text) => ({ type: 'text', text }))

  it.each([
    ['nothing', {}],
    ['other media', { 'image/*': [/^https:/], 'application/json': [/^https:/] }],
    ['other addresses', { 'application/pdf': [/^gs:/] }],
  ])('is its link where the model fetches %s', async (_what, supportedUrls) => {
    expect(await said(links, { supportedUrls })).toEqual(asLinks)
  })

  it.each([
    ['of this media type', { 'application/pdf': [/^gs:/, /^https:\/\/x\.test\/[ab]\.pdf$/] }],
    ['of this kind', { 'application/*': [/^https:/] }],
    ['of any kind', { '*/*': [/^https:/] }],
    ['of any kind, as it says later', Promise.resolve({ '*': [/^https:/] })],
  ])('is a file where the model fetches those %s', async (_what, supportedUrls) => {
    expect(await said(links, { supportedUrls })).toMatchObject([
      { type: 'file', filename: 'a.pdf', data: { type: 'url', url: at('https://x.test/A.pdf') } },
      { type: 'file', data: { type: 'url', url: at('https://x.test/b.pdf') } },
    ])
  })

  it('is its text where it is no address', async () => {
    const odd = { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'no address' } }
    expect(await said([odd])).toEqual([{ type: 'text', text: 'Image: no address' }])
  })
})

describe('a result with a picture', () => {
  const prompt = async (answer: object, traits: Traits = {}, options: AiSdkOptions = {}): Promise<readonly unknown[]> =>
    (await promptOf({ messages: history(user('go'), assistant(called('call_1')), user(answer, 'and?')) }, options, traits)).slice(2)
  const seen = result('call_1', 'seen', png, pdf)
  const tool = (output: object): object => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'look', output }],
  })
  const whole = [
    tool({
      type: 'content',
      value: [
        { type: 'text', text: 'seen' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
        { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: 'JVBE' } },
      ],
    }),
    { role: 'user', content: [{ type: 'text', text: 'and?' }] },
  ]
  const inText = 'seen\n[image, image/png: in the next user message]\n[document, application/pdf: in the next user message]'
  const behind = {
    role: 'user',
    content: [
      { type: 'text', text: 'The image that belongs to the result of call call_1:' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      { type: 'text', text: 'The document that belongs to the result of call call_1:' },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: 'JVBE' } },
      { type: 'text', text: 'and?' },
    ],
  }

  it.each(['anthropic.messages', 'amazon-bedrock', 'google.generative-ai', 'vertex.anthropic.messages', 'gateway', 'openai.responses'])(
    'carries it where %s takes it',
    async (provider) => {
      expect(await prompt(seen, { provider })).toEqual(whole)
    },
  )

  it.each(['openai.chat', 'mistral.chat', 'anthropical.chat'])('has it stand behind where %s would write it as text', async (provider) => {
    expect(await prompt(seen, { provider })).toEqual([tool({ type: 'text', value: inText }), behind])
  })

  it('carries it or not as the option says', async () => {
    expect(await prompt(seen, { provider: 'mistral.chat' }, { mediaInResults: true })).toEqual(whole)
    expect(await prompt(seen, { provider: 'anthropic.messages' }, { mediaInResults: false })).toEqual([
      tool({ type: 'text', value: inText }),
      behind,
    ])
  })

  it('has the form of v3 there', async () => {
    const [first] = await prompt(result('call_1', png, pdf, document('JVBE', 'application/pdf')), {
      provider: 'anthropic.messages',
      version: 'v3',
    })
    expect(first).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'look',
          output: {
            type: 'content',
            value: [
              { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
              { type: 'file-data', data: 'JVBE', mediaType: 'application/pdf', filename: 'a.pdf' },
              { type: 'file-data', data: 'JVBE', mediaType: 'application/pdf' },
            ],
          },
        },
      ],
    } satisfies LanguageModelV3Message)
  })

  it('that failed, or that is an address, has it stand behind', async () => {
    const url = image(at('https://x.test/b.png'), 'image/png')
    const provider = 'anthropic.messages'
    const [failed, ofFailed] = await prompt(failure('call_1', 'no', png), { provider })
    expect([failed, ofFailed]).toEqual([
      tool({ type: 'error-text', value: 'no\n[image, image/png: in the next user message]' }),
      { ...behind, content: [...behind.content.slice(0, 2), ...behind.content.slice(4)] },
    ])
    const [linked] = await prompt(result('call_1', url), { provider })
    expect(linked).toEqual(tool({ type: 'text', value: '[image, image/png: in the next user message]' }))
  })
})
