import { describe, expect, it } from 'vitest'
import type { ModelSettings } from '../../../src/models/model.ts'
import { bodyOf } from './support/ask.ts'

describe('thinking', () => {
  const low = { includeThoughts: true, thinkingLevel: 'LOW' }
  it.each<[id: string, thinking: ModelSettings['thinking'], config: object | undefined]>([
    ['gemini-3.1-pro', undefined, undefined],
    ['gemini-3.1-pro', { effort: 'low' }, low],
    ['gemini-3.1-pro', { effort: 'high' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro', { effort: 'low', budgetTokens: 500 }, low],
    ['gemini-3.1-pro', { budgetTokens: 500 }, { includeThoughts: true, thinkingBudget: 500 }],
    ['gemini-3.1-pro', {}, { includeThoughts: true }],
    ['gemini-3.1-pro', false, { thinkingLevel: 'LOW' }],
    ['gemini-2.5-flash', { effort: 'medium' }, { includeThoughts: true, thinkingBudget: 8192 }],
    ['gemini-2.5-flash', { effort: 'medium', budgetTokens: 500 }, { includeThoughts: true, thinkingBudget: 500 }],
    ['gemini-2.5-flash', false, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', false, { thinkingBudget: 128 }],
    ['gemini-2.0-flash', false, undefined],
  ])('of %s: %j', async (id, thinking, thinkingConfig) => {
    const { generationConfig } = await bodyOf({ settings: { thinking } }, id)
    expect(generationConfig).toEqual(thinkingConfig && { thinkingConfig })
  })
})
