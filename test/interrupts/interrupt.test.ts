import { describe, expect, it } from 'vitest'
import type { Interrupt } from '../../src/interrupts/interrupt.ts'
import { answer, approvalOf } from '../../src/interrupts/interrupt.ts'

const interrupt: Interrupt = { id: 'call_1/sure', name: 'sure', reason: null, path: [] }

describe('answer', () => {
  it('takes an interrupt or its id, and any JSON', () => {
    expect(answer(interrupt, { a: [1, null] })).toEqual({ type: 'interrupt_response', id: 'call_1/sure', response: { a: [1, null] } })
    expect(answer('call_1/sure', null)).toEqual({ type: 'interrupt_response', id: 'call_1/sure', response: null })
  })

  it('keeps a copy', () => {
    const response = { a: [1] }
    const given = answer(interrupt, response)
    response.a.push(2)
    expect(given.response).toEqual({ a: [1] })
  })

  it.each([
    [undefined, true, 'needs an interrupt, or the id of one'],
    ['', true, 'needs an interrupt, or the id of one'],
    [{}, true, 'needs an interrupt, or the id of one'],
    ['x', undefined, 'The answer to x is undefined'],
    ['x', () => 1, 'the response'],
    ['x', 1n, 'the response'],
  ])('answer(%s, %s) says what is wrong', (to, response, said) => {
    expect(() => answer(to as string, response as never)).toThrow(said)
  })
})

describe('approvalOf', () => {
  it.each([
    [true, { approved: true }],
    [false, { approved: false }],
    ['true', { approved: false }],
    [null, { approved: false }],
    [
      { approved: true, reason: '', input: { a: 1 } },
      { approved: true, input: { a: 1 } },
    ],
    [
      { approved: 1, reason: 'no' },
      { approved: false, reason: 'no' },
    ],
    [{ approved: true, input: [1] }, { approved: true }],
  ])('%j is %j', (said, understood) => {
    expect(approvalOf(said)).toEqual(understood)
  })
})
