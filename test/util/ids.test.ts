import { describe, expect, it } from 'vitest'
import { randomIds } from '../../src/util/ids.ts'

describe('randomIds', () => {
  it('gives each kind its prefix and 22 characters that every wire takes', () => {
    const kinds = ['invocation', 'message', 'call', 'conversation', 'checkpoint'] as const
    const shapes = kinds.map((kind) => /^([a-z]+)_[0-9A-Za-z]{22}$/.exec(randomIds.next(kind))?.[1])
    expect(shapes).toEqual(['inv', 'msg', 'call', 'conv', 'cp'])
  })

  it('gives a new one each time', () => {
    const ids = Array.from({ length: 10_000 }, () => randomIds.next('call'))
    expect(new Set(ids).size).toBe(10_000)
  })
})
