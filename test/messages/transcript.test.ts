import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/messages/message.ts'
import { toolUsesOf } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import { Transcript } from '../../src/messages/transcript.ts'
import { freezeOwn } from '../../src/util/json.ts'
import { assistant, call, result, user } from '../support/history.ts'

const [first, second, third, fourth] = repair([user('a'), assistant('', call('x')), user(result('x')), assistant('b')]) as [
  Message,
  Message,
  Message,
  Message,
]

describe('a transcript', () => {
  it('starts with what it is given', () => {
    expect(new Transcript().messages).toEqual([])
    expect(new Transcript().last).toBeUndefined()
    const transcript = new Transcript([first, second])
    expect(transcript.messages).toEqual([first, second])
    expect([transcript.length, transcript.last]).toEqual([2, second])
  })

  it('is not the array it was given', () => {
    const given = [first]
    const transcript = new Transcript(given)
    given.push(second)
    expect(transcript.length).toBe(1)
  })

  it('grows, replaces its last, and starts again', () => {
    const transcript = new Transcript([first])
    transcript.append(second)
    transcript.append(third)
    expect(transcript.messages).toEqual([first, second, third])
    transcript.replaceLast(fourth)
    expect(transcript.messages).toEqual([first, second, fourth])
    expect(transcript.sendable()).toHaveLength(3)
    transcript.reset([first])
    expect([transcript.messages, transcript.sendable()]).toEqual([[first], [{ role: 'user', content: first.content }]])
  })

  it('shows a frozen view, one for each state, that later changes leave alone', () => {
    const transcript = new Transcript([first])
    const view = transcript.messages
    expect(transcript.messages).toBe(view)
    expect(Object.isFrozen(view)).toBe(true)
    transcript.append(second)
    expect(view).toEqual([first])
    expect(transcript.messages).toEqual([first, second])
  })

  it('sends each message as one and the same object in every turn', () => {
    const transcript = new Transcript([first, second])
    const before = transcript.sendable()
    transcript.append(third)
    const after = transcript.sendable()
    expect(after).not.toBe(before)
    expect(after.map((message) => message.role)).toEqual(['user', 'assistant', 'user'])
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, true])
    expect(after[1]).toEqual({ role: 'assistant', content: [call('x')] })
  })

  it('gives a new array to each request, so that nobody can spoil the next one', () => {
    const transcript = new Transcript([first])
    ;(transcript.sendable() as unknown[]).length = 0
    expect(transcript.sendable()).toHaveLength(1)
  })

  it('reads each message once, however many turns follow', () => {
    let reads = 0
    const counting = new Proxy(first, {
      get(target, key, receiver) {
        if (key === 'content') reads++
        return Reflect.get(target, key, receiver) as unknown
      },
    })
    const transcript = new Transcript([counting])
    const once = reads
    for (let i = 0; i < 100; i++) {
      transcript.append(second)
      transcript.sendable()
    }
    expect(reads).toBe(once)
  })

  it('vouches for its messages: whoever stores them again does not check them again', () => {
    const odd = freezeOwn({ id: 'm', role: 'assistant', content: [{ type: 'server_tool_result', toolUseId: 's' }] }) as unknown as Message
    expect(() => repair([odd], { tail: true })).toThrow('messages[0].content[0].content: expected a JSON value, got undefined.')
    const transcript = new Transcript([odd])
    expect(repair(transcript.messages, { tail: true })[0]).toBe(odd)
  })
})

describe('toolUsesOf', () => {
  it('gives the calls of an assistant message', () => {
    expect([toolUsesOf(second), toolUsesOf(first), toolUsesOf(fourth), toolUsesOf(undefined)]).toEqual([[call('x')], [], [], []])
  })
})
