import { describe, expect, it } from 'vitest'
import { nameOf } from '../../src/models/model.ts'

describe('nameOf', () => {
  it('is provider and id, or one word where they are the same', () => {
    expect(nameOf({ provider: 'openai', id: 'gpt-5' })).toBe('openai/gpt-5')
    expect(nameOf({ provider: 'openrouter', id: 'meta/llama-4' })).toBe('openrouter/meta/llama-4')
    expect(nameOf({ provider: 'offline', id: 'offline' })).toBe('offline')
  })
})
