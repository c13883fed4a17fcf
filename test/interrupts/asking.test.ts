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
  const one = new Asking({ questions, about: 'call_1' })
  return { raised, interrupt: one.interrupt, close: (why: string) => one.close(why) }
}

describe('interrupt()', () => {
  it('raises the question and leaves by a throw', () => {
    const { interrupt, raised } = asking()
    expect(() => interrupt({ name: 'sure', reason: { at: 1 }, expiresInMs: 5 })).toThrow(InterruptSignal)
    expect(raised).toEqual([{ id: 'call_1/sure', name: 'sure', reason: { at: 1 }, path: [], expiresAt: 1005 }])
  })

  it('with a misspelt key says so: a question that shall expire must not stay for ever', () => {
    const { interrupt, raised } = asking()
    expect(() => interrupt({ name: 'sure', expiresInMS: 5 } as never)).toThrow(
      'interrupt() has no option "expiresInMS". Did you mean "expiresInMs"? It has name, reason, expiresInMs.',
    )
    expect(raised).toEqual([])
  })

  it('gives the answer that there is, the same name again being another question', () => {
    const { interrupt, raised } = asking({ 'call_1/sure': { response: null }, 'call_1/sure#2': { response: 2 } })
    expect([interrupt({ name: 'sure' }), interrupt({ name: 'sure' })]).toEqual([null, 2])
    expect(raised).toEqual([])
  })

  it('gives each name an id of its own, whatever signs it has', () => {
    const { interrupt, raised } = asking()
    for (const name of ['x', 'x', 'x#2', 'gate/approval', 'a%2Fb', 'a/b', 'ö ?']) expect(() => interrupt({ name })).toThrow(InterruptSignal)
    expect(raised.map(({ id }) => id)).toEqual([
      'call_1/x',
      'call_1/x#2',
      'call_1/x%232',
      'call_1/gate%2Fapproval',
      'call_1/a%252Fb',
      'call_1/a%2Fb',
      'call_1/ö ?',
    ])
  })

  it('that may be answered for ever has no end that JSON cannot carry', () => {
    const { interrupt, raised } = asking()
    expect(() => interrupt({ name: 'sure', expiresInMs: Infinity })).toThrow(InterruptSignal)
    expect(raised).toEqual([{ id: 'call_1/sure', name: 'sure', reason: null, path: [] }])
  })

  it('asks and answers nothing once it is closed, and says why; the first reason counts', () => {
    const { interrupt, raised, close } = asking({ 'call_1/sure': { response: 1 } })
    close('the call has ended.')
    close('it is late.')
    for (const name of ['sure', 'new']) expect(() => interrupt({ name })).toThrow(`"${name}" cannot be asked any more: the call has ended.`)
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
