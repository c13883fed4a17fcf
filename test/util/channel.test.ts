import { describe, expect, it } from 'vitest'
import { channel } from '../../src/util/channel.ts'
import { isSettled } from '../support/promises.ts'

describe('channel', () => {
  it('hands values over in order, and ends when it is closed and empty', async () => {
    const line = channel<number>()
    void line.send(1)
    void line.send(2)
    line.close()
    const taken: number[] = []
    for await (const value of line) taken.push(value)
    expect(taken).toEqual([1, 2])
  })

  it('lets the sender wait until its value was taken', async () => {
    const line = channel<string>()
    const first = line.send('a')
    const second = line.send('b')
    const reader = line[Symbol.asyncIterator]()
    expect(await isSettled(first)).toBe(false)
    expect(await reader.next()).toEqual({ value: 'a', done: false })
    expect(await isSettled(first)).toBe(true)
    expect(await isSettled(second)).toBe(false)
    expect(await reader.next()).toEqual({ value: 'b', done: false })
    expect(await isSettled(second)).toBe(true)
  })

  it('wakes a reader that came first', async () => {
    const line = channel<number>()
    const reader = line[Symbol.asyncIterator]()
    const next = reader.next()
    expect(await isSettled(next)).toBe(false)
    void line.send(7)
    expect(await next).toEqual({ value: 7, done: false })
    const end = reader.next()
    line.close()
    expect(await end).toEqual({ value: undefined, done: true })
  })

  it('frees its senders when the reader leaves, those that come later too', async () => {
    const line = channel<number>()
    const waiting = [line.send(1), line.send(2), line.send(3)]
    for await (const value of line) {
      expect(value).toBe(1)
      break
    }
    await Promise.all(waiting)
    await line.send(4)
  })
})
