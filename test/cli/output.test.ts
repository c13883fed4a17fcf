import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Output } from '../../src/cli/output.ts'
import { isSettled } from '../support/promises.ts'
import { Screen } from './support/world.ts'

describe('Output', () => {
  it('ends a line only when one has begun', () => {
    const screen = new Screen(false)
    const out = new Output(screen)
    out.freshLine()
    out.write('a')
    out.write('')
    out.freshLine()
    out.freshLine()
    out.line('b')
    out.freshLine()
    expect(screen.text).toBe('a\nb\n')
  })

  it('keeps what is written while it is held, in order', () => {
    const screen = new Screen(false)
    const out = new Output(screen)
    const [release, again] = [out.hold(), out.hold()]
    out.write('a')
    out.write('b')
    expect(screen.text).toBe('')
    release()
    again()
    out.write('c')
    expect(screen.text).toBe('abc')
  })

  it('is held as long as one of several holds it', () => {
    const screen = new Screen(true)
    const out = new Output(screen)
    const [question, stopped] = [out.hold(), out.hold()]
    out.write('a')
    stopped()
    stopped()
    expect(screen.text).toBe('')
    question()
    expect(screen.text).toBe('a')
  })

  it('says when the reader is behind, and when no longer', async () => {
    let take = (): void => {}
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void (take = done) })
    const out = new Output(slow)
    out.write('abc')
    const room = out.room!
    out.write('def')
    expect(out.room).toBe(room)
    take()
    expect(await isSettled(room)).toBe(false)
    take()
    await room
    expect([out.room, slow.listenerCount('drain')]).toEqual([undefined, 0])
  })

  it('waits for nobody who went away, and writes no more', async () => {
    let fail = (_error: Error): void => {}
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void (fail = done) })
    const out = new Output(slow)
    out.write('abc')
    const room = out.room
    fail(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await room
    out.write('def')
    await out.taken()
    expect([out.closed.aborted, out.room, slow.listenerCount('drain')]).toEqual([true, undefined, 0])
  })

  it.each([
    ['EPIPE', undefined],
    ['ENOSPC', 'write ENOSPC'],
  ])('knows a reader that left from a failure (%s)', async (code, failure) => {
    const screen = new Screen(false)
    const out = new Output(screen)
    out.write('a')
    screen.destroy(Object.assign(new Error(`write ${code}`), { code }))
    await out.taken()
    expect(out.failure?.message).toBe(failure)
  })

  it('knows how wide it is', () => {
    expect([new Output(new Screen(true)).width, new Output(new Screen(false)).width]).toEqual([80, 100])
  })
})
