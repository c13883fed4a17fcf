import { describe, expect, it } from 'vitest'
import { AgentError, NetworkError } from '../../src/errors.ts'
import type { AgentStream } from '../../src/agent/stream.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { makeAgent } from '../support/make-agent.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

describe('collect', () => {
  it('gives the events and the result', async () => {
    const { agent } = makeAgent([{ text: 'Yes.' }])
    const { events, result, error } = await collect(agent.stream('go'))
    expect([events.at(0)?.type, events.at(-1)?.type, result?.text, error]).toEqual([
      'invocation_start',
      'invocation_end',
      'Yes.',
      undefined,
    ])
  })

  it('never rejects: a failed run has its events and its error', async () => {
    const failure = new NetworkError('reset')
    const { agent } = makeAgent([{ error: failure }])
    const { events, result, error } = await collect(agent.stream('go'))
    expect([events.at(-1)?.type, result, error]).toEqual(['invocation_error', undefined, failure])
  })

  it('makes an error of ours out of anything', async () => {
    const broken = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject('torn') }),
    } as unknown as AgentStream
    const { error } = await collect(broken)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code: 'unknown', message: 'The stream failed: torn', cause: 'torn' })
  })
})

describe('countingIds', () => {
  it('counts each kind by itself', () => {
    const ids = countingIds()
    expect([
      ids.next('call'),
      ids.next('message'),
      ids.next('call'),
      ids.next('invocation'),
      ids.next('conversation'),
      ids.next('checkpoint'),
    ]).toEqual(['call_1', 'msg_1', 'call_2', 'inv_1', 'conv_1', 'cp_1'])
  })
})
