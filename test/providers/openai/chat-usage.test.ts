import { expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const usageOf = async (usage: object): Promise<unknown> => {
  const { fetch } = fakeFetch(chunks(chunk({ content: 'a' }, 'stop'), { choices: [], usage }))
  return (await answer(openai('m', { api: 'chat', apiKey: 'k', fetch }))).message?.usage
}

it.each<readonly [string, object, object]>([
  [
    'what xAI counts beside the answer, and in the total',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } },
    { inputTokens: 32, outputTokens: 103, totalTokens: 135, reasoningTokens: 94 },
  ],
  [
    'what Google counts in the total alone',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 },
    { inputTokens: 32, outputTokens: 103, totalTokens: 135 },
  ],
  [
    'what OpenAI counts in the answer: once',
    { prompt_tokens: 32, completion_tokens: 103, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } },
    { inputTokens: 32, outputTokens: 103, totalTokens: 135, reasoningTokens: 94 },
  ],
  [
    'a total that says something else: not',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 50, completion_tokens_details: { reasoning_tokens: 4 } },
    { inputTokens: 32, outputTokens: 9, totalTokens: 41, reasoningTokens: 4 },
  ],
  [
    'a total that may count what was cached: not',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 141, prompt_tokens_details: { cached_tokens: 100 } },
    { inputTokens: 32, outputTokens: 9, totalTokens: 41, cacheReadTokens: 100 },
  ],
  [
    'the cache under the names of Anthropic',
    { prompt_tokens: 32, completion_tokens: 9, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 },
    { inputTokens: 32, outputTokens: 9, totalTokens: 41, cacheReadTokens: 7, cacheWriteTokens: 3 },
  ],
])('usage has %s', async (_what, usage, expected) => expect(await usageOf(usage)).toEqual(expected))
