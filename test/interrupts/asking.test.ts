import { describe, expect, it } from 'vitest'
import type { Questions } from '../../src/interrupts/asking.ts'
import { Asking, ExpiredError } from '../../src/interrupts/asking.ts'
import type { Interrupt } from '../../src/interrupts/interrupt.ts'
import { InterruptSignal } from '../../src/interrupts/interrupt.ts'

function asking(answers: Record<string, { readonly response: null | number } | { readonly expired: string }> = {}) {
  const raised: Interrupt[] = []
  const questions: Questions = {
    answerTo: (id) => answers[id],
    raise: (interrupt) => void raised.push(interrupt),
    answered: () => 0,
    now: () => 1000,
  }
  const { interrupt } = new Asking({ questions, about: 'call_1' })
  return { raised, interrupt }
}

describe('interrupt()', () => {
  it('raises the question and leaves by a throw', () => {
    const { interrupt, raised } = asking()
    expect(() => interrupt({ name: 'sure', reason: { at: 1 }, expiresInMs: 5 })).toThrow(InterruptSignal)
    expect(raised).toEqual([{ id: 'call_1/sure', name: 'sure', reason: { at: 1 }, path: [], expiresAt: 1005 }])
  })

  it('gives the answer that there is, the same name again being another question', () => {
    const { interrupt, raised } = asking({ 'call_1/sure': { response: null }, 'call_1/sure#2': { response: 2 } })
    expect([interrupt({ name: 'sure' }), interrupt({ name: 'sure' })]).toEqual([null, 2])
    expect(raised).toEqual([])
  })

  it('throws in the place of an answer that came too late', () => {
    const { interrupt } = asking({ 'call_1/sure': { expired: 'too late' } })
    expect(() => interrupt({ name: 'sure' })).toThrow(ExpiredError)
  })

  it.each([
    [undefined],
    [{}],
    [{ name: ' ' }],
    [{ name: 'a', expiresInMs: 0 }],
    [{ name: 'a', expiresInMs: '1' }],
    [{ name: 'a', reason: () => 1 }],
  ])('refuses %j', (request) => {
    const { interrupt, raised } = asking()
    expect(() => interrupt(request as never)).toThrow(/interrupt/)
    expect(() => interrupt(request as never)).not.toThrow(InterruptSignal)
    expect(raised).toEqual([])
  })
})
