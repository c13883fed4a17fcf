// Every model of this package passes the suite that it gives to others.
import { scriptedModel, modelConformance } from 'lena-agent/testing'
import type { ModelScene, PlayedModel, ScriptStep } from 'lena-agent/testing'
import { AuthenticationError, ContextOverflowError, InvalidRequestError, NetworkError, OverloadedError, ThrottledError } from 'lena-agent'
import { describe, expect, it } from 'vitest'
import { offline } from '../../../src/models/offline/index.ts'
import { environment, useOwnEnvironment } from '../../providers/bedrock/support/env.ts'
import { fakeClock } from '../../../src/testing/fake-clock.ts'
import { request } from '../../providers/support/answer.ts'
import { play } from './support/play.ts'
import { wires } from './support/wires.ts'

useOwnEnvironment()
environment()

const run = {
  test: (name: string, fn: () => Promise<void>) => void it(name, async () => await expect(fn()).resolves.toBe(undefined), 60_000),
}

describe.each(Object.entries(wires))('%s', (_name, wire) => {
  modelConformance(run, (scene) => play(wire, scene))
})

const errors = {
  throttled: new ThrottledError('no'),
  overloaded: new OverloadedError('no'),
  authentication: new AuthenticationError('no'),
  invalid_request: new InvalidRequestError('no'),
  context_overflow: new ContextOverflowError('no'),
  network: new NetworkError('no'),
}

function script({ blocks, stopReason, usage, ends, failure }: ModelScene): ScriptStep {
  if (failure) return { error: errors[failure] }
  const texts = blocks.flatMap((block) => (block.type === 'text' ? block.pieces : []))
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, id: block.id, input: block.pieces.join('') }] : [],
  )
  const said = { text: texts.join(''), calls, stopReason, usage }
  if (ends === 'hangs') return { ...said, hang: true, after: texts.length === 0 ? 0 : 4 }
  return ends === 'breaks' ? { ...said, error: new NetworkError('reset'), after: 3 } : said
}

describe('the scripted model', () => {
  modelConformance(run, (scene): PlayedModel => ({ model: scriptedModel(...Array.from({ length: 4 }, () => script(scene))) }))
})

describe('the offline model', () => {
  const hello = request({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] })
  modelConformance(
    run,
    ({ ends }) => ({ model: ends === 'hangs' ? offline({ delayMs: 1, clock: twoWords() }) : offline(), request: hello }),
    { scenes: ['answer', 'calls', 'hanging'], saysItsOwn: true },
  )

  /** Lets two pieces through, and then stands still. */
  function twoWords(): ReturnType<typeof fakeClock> {
    const clock = fakeClock()
    let left = 2
    return { ...clock, sleep: (ms, signal) => (left-- > 0 ? Promise.resolve() : clock.sleep(ms, signal)) }
  }
})

it('there are some', () => {
  expect(Object.keys(wires).length).toBe(5)
})
