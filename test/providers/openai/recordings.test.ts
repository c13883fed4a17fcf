import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import { randomPieces, recut, singleBytes, whole } from '../support/recut.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import type { Outline } from './expected.ts'
import { outlineOf } from './expected.ts'

const server = await streamServer()

const recordings: Readonly<Record<string, Outline>> = {
  'whole-call': {
    text: '',
    reasoning: '',
    calls: [{ id: 'gSIMJiOkT', name: 'weather', input: { location: 'San Francisco' }, invalid: undefined }],
    stopReason: 'tool_use',
    usage: { inputTokens: 124, outputTokens: 22, totalTokens: 146 },
    citations: 0,
  },
  'text-and-calls': {
    text: "I'll add and multiply the numbers 2 and 3 for you.",
    reasoning: '',
    calls: [
      { id: 'functions.add:0', name: 'add', input: { a: 2, b: 3 }, invalid: undefined },
      { id: 'functions.multiply:1', name: 'multiply', input: { a: 2, b: 3 }, invalid: undefined },
    ],
    stopReason: 'tool_use',
    usage: { inputTokens: 201, outputTokens: 55, totalTokens: 256 },
    citations: 0,
  },
  refusal: {
    text: "I'm very sorry, but I can't assist with that.",
    reasoning: '',
    calls: [],
    stopReason: 'refusal',
    usage: { inputTokens: 49, outputTokens: 12, totalTokens: 61, cacheReadTokens: 0, reasoningTokens: 0 },
    citations: 0,
  },
  unicode: {
    text: '🌍こんにちは世界🎉안녕하세요🚀Здравствуйте🌸',
    reasoning: '',
    calls: [],
    stopReason: 'end_turn',
    usage: { inputTokens: 60, outputTokens: 20, totalTokens: 80, cacheReadTokens: 59 },
    citations: 0,
  },
}

describe.each([
  ['whole', whole],
  ['in single bytes', singleBytes],
  ['in random pieces', randomPieces(3)],
] as const)('a recorded answer, %s', (_how, cut) => {
  it.each(Object.entries(recordings))('%s', async (name, outline) => {
    server.handle = sends(readFileSync(new URL(`../../recordings/openai/${name}.sse`, import.meta.url)))
    const { message, error } = await answer(openai('m', { baseURL: server.baseURL, provider: 'p', fetch: recut(cut) }))
    if (!message) throw error
    expect(outlineOf(message, 'p', { withIds: true })).toEqual(outline)
  })
})
