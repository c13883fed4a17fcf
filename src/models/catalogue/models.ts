import type { ModelInfo } from '../catalogue.ts'

/*
 * What is known of the main models. `asOf` is the month for which an entry was checked, `source` the page to check it against
 * the next time; what nobody told is left out. Prices are those of standard processing, without discounts for batches.
 */

const claude = (page: string): string => `https://platform.claude.com/docs/en/models/${page}/overview`
const gpt = (page: string): string => `https://developers.openai.com/api/docs/models/${page}`
const gemini = 'https://ai.google.dev/gemini-api/docs/pricing'

const million = { contextWindow: 1_000_000, maxOutputTokens: 128_000, abilities: { images: true }, thinking: true } as const
const gptMillion = { contextWindow: 1_050_000, maxOutputTokens: 128_000, abilities: { images: true }, thinking: true } as const
const geminiMillion = {
  contextWindow: 1_048_576,
  maxOutputTokens: 65_536,
  abilities: { images: true, documents: true },
  thinking: true,
} as const

export const knownModels = {
  'anthropic/claude-fable-5-2': {
    ...million,
    prices: { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 },
    asOf: '2026-11',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },
  'anthropic/claude-opus-5-5': {
    ...million,
    prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
    asOf: '2026-10',
    source: claude('opus-5-5'),
  },
  'anthropic/claude-opus-5': {
    ...million,
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    asOf: '2026-10',
    source: claude('opus-5'),
  },
  'anthropic/claude-opus-4-6': {
    ...million,
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    asOf: '2026-10',
    source: claude('opus-4-6'),
  },
  // Reading its cache costs half of what it did since 7 October 2026.
  'anthropic/claude-sonnet-5-5': {
    ...million,
    prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    asOf: '2026-10',
    source: claude('sonnet-5-5'),
  },
  'anthropic/claude-sonnet-5': {
    ...million,
    prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    asOf: '2026-10',
    source: claude('sonnet-5'),
  },
  'anthropic/claude-sonnet-4-6': {
    ...million,
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    asOf: '2026-10',
    source: claude('sonnet-4-6'),
  },
  'anthropic/claude-haiku-5-5': {
    ...million,
    prices: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longPrompt: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
    },
    asOf: '2026-10',
    source: claude('haiku-5-5'),
  },
  'anthropic/claude-haiku-4-5': {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    abilities: { images: true },
    thinking: true,
    prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    asOf: '2026-10',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },

  'openai/gpt-6.2-sol': {
    ...gptMillion,
    prices: {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      longPrompt: { above: 272_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 },
    },
    asOf: '2026-11',
    source: gpt('gpt-6.2-sol'),
  },
  'openai/gpt-6.1-terra': {
    ...gptMillion,
    prices: {
      input: 1,
      output: 5,
      cacheRead: 0.05,
      cacheWrite: 1.25,
      longPrompt: { above: 272_000, input: 2, output: 7.5, cacheRead: 0.1, cacheWrite: 2.5 },
    },
    asOf: '2026-10',
    source: gpt('gpt-6.1-terra'),
  },
  'openai/gpt-6-astra': {
    ...gptMillion,
    prices: {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longPrompt: { above: 272_000, input: 20, output: 75, cacheRead: 2, cacheWrite: 25 },
    },
    asOf: '2026-10',
    source: gpt('gpt-6-astra'),
  },
  // Their prices rise with long prompts; how, was not told.
  'openai/gpt-6-sol': { ...gptMillion, asOf: '2026-10', source: gpt('gpt-6-sol') },
  'openai/gpt-6-luna': { ...gptMillion, asOf: '2026-10', source: gpt('gpt-6-luna') },
  'openai/gpt-5.4-mini': {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    abilities: { images: true },
    thinking: true,
    prices: { input: 0.75, output: 4.5, cacheRead: 0.075 },
    asOf: '2026-05',
    source: gpt('gpt-5.4-mini'),
  },

  // Half of these prices until 31 December 2026.
  'google/gemini-3.8-flash': { ...geminiMillion, prices: { input: 1.5, output: 7.5, cacheRead: 0.15 }, asOf: '2026-10', source: gemini },
  'google/gemini-3.5-flash': { ...geminiMillion, prices: { input: 1.5, output: 9, cacheRead: 0.15 }, asOf: '2026-10', source: gemini },
  'google/gemini-3.1-pro-preview': {
    ...geminiMillion,
    prices: { input: 2, output: 12, cacheRead: 0.2, longPrompt: { above: 200_000, input: 4, output: 18, cacheRead: 0.4 } },
    asOf: '2026-10',
    source: gemini,
  },

  // Priced by the hour of the day, in yuan.
  'deepseek/deepseek-flash': {
    contextWindow: 1_000_000,
    maxOutputTokens: 384_000,
    abilities: { images: true },
    thinking: true,
    asOf: '2026-10',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
  },
  'deepseek/deepseek-v4-pro': {
    contextWindow: 1_000_000,
    maxOutputTokens: 384_000,
    abilities: { images: false },
    thinking: true,
    asOf: '2026-10',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
  },
  'mistral/mistral-medium-3.5': {
    contextWindow: 262_144,
    abilities: { images: true },
    thinking: true,
    prices: { input: 1.5, output: 7.5 },
    asOf: '2026-04',
    source: 'https://docs.mistral.ai/models/model-cards/mistral-medium-3-5-26-04',
  },
  'xai/grok-4.7': { contextWindow: 500_000, thinking: true, asOf: '2026-09', source: 'https://docs.x.ai/docs/models' },
} as const satisfies Readonly<Record<string, ModelInfo>>
