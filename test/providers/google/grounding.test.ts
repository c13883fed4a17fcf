import { describe, expect, it } from 'vitest'
import type { Citation } from '../../../src/messages/content.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answerTo } from './support/ask.ts'
import { call, ends, parts, sse, text } from './support/sse.ts'

const grounded = (chunk: JsonObject, groundingMetadata: JsonObject, more: JsonObject = {}): JsonObject => {
  const [candidate] = chunk['candidates'] as readonly JsonObject[]
  return { ...chunk, candidates: [{ ...candidate, groundingMetadata, ...more }] }
}
const web = { web: { uri: 'https://a.example', title: 'A' } }
const file = { retrievedContext: { title: 'notes.txt', text: 'Über alles steht hier.' } }
const support = (said: string, startIndex: number, endIndex: number, ...groundingChunkIndices: readonly number[]): JsonObject => ({
  segment: { text: said, startIndex, endIndex },
  groundingChunkIndices,
})

async function citationsOf(...chunks: readonly JsonObject[]): Promise<readonly (readonly Citation[] | undefined)[]> {
  const { message } = await answerTo(sse(...chunks))
  return message!.content.flatMap((block) => (block.type === 'text' ? [block.citations] : []))
}

describe('what an answer rests on', () => {
  it('is cited at its place, counted in characters', async () => {
    // "Ä" is two bytes, "😀" four.
    const last = grounded(ends('STOP', text('Ä 😀. Gut.')), {
      groundingChunks: [web, file],
      groundingSupports: [support('Ä 😀.', 0, 8, 0), support('Gut.', 9, 13, 0, 1)],
    })
    expect(await citationsOf(last)).toEqual([
      [
        { title: 'A', url: 'https://a.example', start: 0, end: 5 },
        { title: 'A', url: 'https://a.example', start: 6, end: 10 },
        { title: 'notes.txt', quote: 'Über alles steht hier.', start: 6, end: 10 },
      ],
    ])
  })

  it('is cited without a place where the text does not bear it out', async () => {
    const last = grounded(ends('STOP', text('Good.')), {
      groundingChunks: [web],
      groundingSupports: [support('ood', 77, 80, 0), support('Bad.', 0, 4, 0), { groundingChunkIndices: [0, 5] }],
    })
    expect(await citationsOf(last)).toEqual([
      [
        { title: 'A', url: 'https://a.example', start: 1, end: 4 },
        { title: 'A', url: 'https://a.example' },
        { title: 'A', url: 'https://a.example' },
      ],
    ])
  })

  it('is cited as a whole when no part is named', async () => {
    const last = grounded(ends(), { groundingChunks: [web, {}, { maps: { uri: 'https://m.example', title: 'M' } }] })
    expect(await citationsOf(parts(text('hi')), last)).toEqual([
      [
        { title: 'A', url: 'https://a.example' },
        { title: 'M', url: 'https://m.example' },
      ],
    ])
  })

  it('is told once, by the text before a call', async () => {
    const metadata = { groundingChunks: [web], groundingSupports: [support('hi', 0, 2, 0)] }
    const chunks = [
      grounded(parts(text('h')), {}),
      grounded(parts(text('i')), metadata),
      grounded(parts(call('look')), {}),
      ends('STOP', text('on')),
    ]
    expect(await citationsOf(...chunks)).toEqual([[{ title: 'A', url: 'https://a.example', start: 0, end: 2 }], undefined])
  })

  it('is what it recites, too', async () => {
    const last = grounded(
      ends('STOP', text('All work')),
      {},
      { citationMetadata: { citationSources: [{ startIndex: 4, endIndex: 8, uri: 'https://r.example' }] } },
    )
    expect(await citationsOf(last)).toEqual([[{ url: 'https://r.example', start: 4, end: 8 }]])
  })
})
