import { describe, expect, it } from 'vitest'
import { costOf, modelInfo, pricesOf, providers } from '../../src/index.ts'
import { knownModels } from '../../src/models/catalogue/models.ts'

const haiku = {
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  abilities: { images: true },
  thinking: true,
  prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  asOf: '2026-10',
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
}
const { prices: _prices, ...unpricedHaiku } = haiku

describe('what is known of a model', () => {
  it.each([
    'anthropic/claude-haiku-4-5',
    'claude-haiku-4-5',
    'Anthropic/Claude-Haiku-4-5',
    'anthropic/claude-haiku-4-5-20251001',
    'anthropic/claude-haiku-4-5@20251001',
    'anthropic/claude-haiku-4-5-latest',
  ])('is found by %s', (name) => expect(modelInfo(name)).toEqual(haiku))

  it.each(['anthropic/claude-haiku-4-5-fast', 'claude-haiku-4-5-fast', 'openrouter/anthropic/claude-haiku-4.5'])(
    'is all but the prices for %s, which has its own',
    (name) => expect(modelInfo(name)).toEqual(unpricedHaiku),
  )

  it.each([
    'anthropic/claude-haiku-4',
    'anthropic/claude-haiku-4-50',
    'anthropic/claude-haiku-4-5-1',
    'anthropic/claude-haiku-4-5x',
    'ollama/claude-haiku-4-5',
    'someone/anthropic/claude-haiku-4-5',
    'openai/gpt-6.1-terra.2',
    'toString',
    'nobody/knows',
    'anthropic/',
    '',
  ])('is nothing for %j', (name) => expect(modelInfo(name)).toBeUndefined())

  it('is that of the longest name that fits', () => {
    const own = { 'x/m': { contextWindow: 1 }, 'x/m-large': { contextWindow: 2 }, 'x/m-large-fast': { contextWindow: 3 } }
    expect(
      ['x/m-small', 'x/m-large', 'x/m-large-slow', 'x/m-large-fast-latest'].map((name) => modelInfo(name, own)?.contextWindow),
    ).toEqual([1, 2, 2, 3])
  })
})

describe("facts of one's own", () => {
  it('add a model', () => {
    const own = { 'ollama/qwen3': { contextWindow: 40_960 }, gemma: { contextWindow: 8192, prices: { input: 0, output: 0 } } }
    expect(modelInfo('ollama/qwen3:8b', own)).toEqual({ contextWindow: 40_960 })
    expect(modelInfo('lmstudio/gemma', own)).toEqual({ contextWindow: 8192, prices: { input: 0, output: 0 } })
  })

  it('win over those built in, field by field', () => {
    const own = { 'anthropic/claude-haiku-4-5': { contextWindow: 100_000, abilities: { documents: false } } }
    expect(modelInfo('anthropic/claude-haiku-4-5', own)).toEqual({
      ...haiku,
      contextWindow: 100_000,
      abilities: { images: true, documents: false },
    })
    expect(modelInfo('anthropic/claude-haiku-4-5')).toEqual(haiku)
  })
})

describe('prices', () => {
  it("are the user's, else those built in, else not known", () => {
    const own = { 'anthropic/claude-haiku-4-5': { input: 9, output: 9 }, mine: { input: 2, output: 3 } }
    expect(pricesOf('claude-haiku-4-5-20251001', own)).toEqual({ input: 9, output: 9 })
    expect(pricesOf('ollama/mine', own)).toEqual({ input: 2, output: 3 })
    expect(pricesOf('anthropic/claude-haiku-4-5')).toEqual(haiku.prices)
    expect(pricesOf('nobody/knows', own)).toBeUndefined()
  })

  it("are not taken from the user's price of a relative", () => {
    expect(pricesOf('x/m-large', { 'x/m': { input: 1, output: 1 } })).toBeUndefined()
  })

  const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens })

  it('make the cost of a request, of which what was cached is a part', () => {
    const prices = { input: 4, output: 20, cacheRead: 1, cacheWrite: 5 }
    expect(costOf(usage(1_000_000, 500_000), prices)).toBe(14)
    expect(costOf({ ...usage(1_000_000, 0), cacheReadTokens: 500_000, cacheWriteTokens: 250_000 }, prices)).toBe(1 + 0.5 + 1.25)
    expect(costOf({ ...usage(1_000_000, 0), cacheReadTokens: 500_000, cacheWriteTokens: 250_000 }, { input: 4, output: 20 })).toBe(4)
    expect(costOf(usage(0, 0), prices)).toBe(0)
  })

  it('never make a negative cost of a report that says more was cached than came in', () => {
    expect(costOf({ ...usage(10, 0), cacheReadTokens: 1_000_000 }, { input: 4, output: 20, cacheRead: 1 })).toBe(1)
  })

  it('are others for the whole of a long prompt', () => {
    const prices = { input: 1, output: 1, longPrompt: { above: 1_000_000, input: 2, output: 3, cacheRead: 1 } }
    expect(costOf(usage(1_000_000, 1_000_000), prices)).toBe(2)
    expect(costOf({ ...usage(2_000_000, 1_000_000), cacheReadTokens: 1_000_000 }, prices)).toBe(2 + 1 + 3)
  })
})

describe('the built-in catalogue', () => {
  it.each(Object.entries(knownModels))('dates %s, says where to check it, and gives no number that cannot be', (name, info) => {
    const { longPrompt, ...flat } = modelInfo(name)?.prices ?? { input: 1, output: 1 }
    const prices = [...Object.values(flat), ...Object.values(longPrompt ?? {})]
    expect(name).toMatch(/^[a-z]+\/[a-z0-9.-]+$/)
    expect(info.asOf).toMatch(/^2026-\d{2}$/)
    expect(URL.canParse(info.source)).toBe(true)
    expect(Number.isInteger(info.contextWindow) && info.contextWindow > 1000).toBe(true)
    expect(prices.filter((price) => !(price !== undefined && price > 0))).toEqual([])
  })

  it('knows each default model, but those of a service that chooses among all', () => {
    const names = providers.flatMap(({ name, defaultModel }) => (defaultModel === undefined ? [] : [`${name}/${defaultModel}`]))
    expect(names.filter((name) => modelInfo(name) === undefined)).toEqual(['openrouter/openrouter/auto'])
  })

  it('is small: it is loaded with the root', () => {
    expect(JSON.stringify(knownModels).length).toBeLessThan(8000)
  })
})
