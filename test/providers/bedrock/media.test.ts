import { describe, expect, it } from 'vitest'
import { assistant, bodyOf, called, claude, history, user } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const bytes = { type: 'base64', data: 'aGk=' }
const document = (mediaType: string, source: object = bytes, title?: string): object => ({
  type: 'document',
  mediaType,
  source,
  ...(title !== undefined && { title }),
})
const image = (mediaType: string, source: object = bytes): object => ({ type: 'image', mediaType, source })
const wireDocument = (format: string, name = 'document'): object => ({ document: { format, name, source: { bytes: 'aGk=' } } })
const sent = async (...content: readonly (string | object)[]): Promise<unknown> =>
  (await bodyOf({ messages: history(user(...content)) }, claude)).messages[0]!.content

describe('pictures and documents', () => {
  const rows: readonly (readonly [name: string, block: object, wire: object])[] = [
    ['bytes of a picture', image('image/png'), { image: { format: 'png', source: { bytes: 'aGk=' } } }],
    ['a JPEG by its other name', image('image/jpg'), { image: { format: 'jpeg', source: { bytes: 'aGk=' } } }],
    [
      'a picture in S3',
      image('image/webp', { type: 'url', url: 's3://b/k' }),
      { image: { format: 'webp', source: { s3Location: { uri: 's3://b/k' } } } },
    ],
    [
      'a picture elsewhere',
      image('image/png', { type: 'url', url: 'https://e.example/a.png' }),
      { text: '[image, image/png: https://e.example/a.png]' },
    ],
    ['a picture of another kind', image('image/tiff'), { text: '[image, image/tiff: cannot be shown to this model]' }],
    ['a picture in letters', image('image/svg+xml'), { text: 'hi' }],
    [
      'a picture that is none',
      image('image/png', { type: 'base64', data: '?' }),
      { text: '[image, image/png: cannot be shown to this model]' },
    ],
    ['a PDF', document('application/pdf'), wireDocument('pdf')],
    ['a table', document('text/csv'), wireDocument('csv')],
    ['Word', document('application/vnd.openxmlformats-officedocument.wordprocessingml.document'), wireDocument('docx')],
    ['Excel', document('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'), wireDocument('xlsx')],
    ['Markdown, with its encoding', document('text/markdown; charset=utf-8'), wireDocument('md')],
    ['any text', document('application/json'), wireDocument('txt')],
    ['a text', document('text/plain', { type: 'text', text: 'hi' }), wireDocument('txt')],
    [
      'a document in S3',
      document('application/pdf', { type: 'url', url: 's3://b/k' }),
      { document: { format: 'pdf', name: 'document', source: { s3Location: { uri: 's3://b/k' } } } },
    ],
    [
      'a document elsewhere',
      document('application/pdf', { type: 'url', url: 'https://e.example/a.pdf' }),
      { text: '[document, application/pdf: https://e.example/a.pdf]' },
    ],
    ['a document of another kind', document('application/zip'), { text: '[document, application/zip: cannot be shown to this model]' }],
  ]
  it.each(rows)('%s', async (_name, block, wire) => expect(await sent('look:', block)).toEqual([{ text: 'look:' }, wire]))

  it('a document never comes without a text', async () => {
    expect(await sent(document('application/pdf'))).toEqual([{ text: '[no content]' }, wireDocument('pdf')])
    expect(await sent(image('image/png'))).toEqual([{ image: { format: 'png', source: { bytes: 'aGk=' } } }])
  })
})

describe('names of documents', () => {
  const nameOf = async (title: string): Promise<unknown> => {
    const [, block] = (await sent('look:', document('application/pdf', bytes, title))) as readonly {
      readonly document?: { readonly name: string }
    }[]
    return block!.document!.name
  }
  it.each([
    ["John's  report_v1.pdf", 'John-s report-v1-pdf'],
    ['Plan [draft] (2)', 'Plan [draft] (2)'],
    ['분기보고서.pdf', 'pdf'],
    ['   ', 'document'],
    ['x'.repeat(300), 'x'.repeat(190)],
  ])('%j is %j', async (title, name) => expect(await nameOf(title)).toBe(name))

  it('differ in the whole request, in results too, and stay as it grows', async () => {
    const pdf = (title?: string): object => document('application/pdf', bytes, title)
    const messages = history(
      user('a', pdf('Report'), pdf('report')),
      assistant(called('call_1')),
      user({ type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [pdf('Report'), pdf()] }, 'b', pdf()),
    )
    const names = async (count: number): Promise<readonly string[]> =>
      [...JSON.stringify((await bodyOf({ messages: messages.slice(0, count) })).messages).matchAll(/"name":"([^"]*)","source"/g)].map(
        ([, name]) => name!,
      )
    expect(await names(3)).toEqual(['Report', 'report (2)', 'Report (3)', 'document', 'document (2)'])
    expect(await names(1)).toEqual(['Report', 'report (2)'])
  })
})
