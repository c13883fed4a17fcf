import { describe, expect, it, vi } from 'vitest'
import { watchForStop } from '../../src/cli/stop.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { deferred, isSettled } from '../support/promises.ts'
import { world } from './support/world.ts'

const hanging = () => scriptedModel({ text: 'So far so good', hang: true, after: 5 })

describe('a run that is stopped from outside', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it with %i, and what was shown is marked', async (name, code) => {
    const at = world({ model: hanging() })
    const running = at.run('x')
    await at.stdout.shows('so ')
    at.signal(name)
    expect({ code: await running, stdout: at.stdout.text, stderr: at.stderr.text, listeners: at.listeners() }).toEqual({
      code,
      stdout: 'So far so \n[the text above is not complete: cancelled]\n',
      stderr: 'Cancelled.\n',
      listeners: 0,
    })
  })

  it('a closed pipe ends it with 141, quietly', async () => {
    const at = world({ model: hanging() })
    at.stdout.breaksAfter = 4
    expect({ code: await at.run('-q', 'x'), stderr: at.stderr.text }).toEqual({ code: 141, stderr: '' })
    expect(at.stdout.text).toBe('So far ')
  })

  it.each(['json', 'stream-json'])('left at once with --output %s has one object at the end all the same', async (format) => {
    const at = world({ model: scriptedModel(() => ({ text: 'So far', hang: 'deaf', after: 3 })) })
    const running = at.run('--output', format, 'x')
    await (format === 'json' ? vi.waitFor(() => expect(at.listeners()).toBe(3)) : at.stdout.shows('"So '))
    at.signal('SIGTERM')
    at.signal('SIGTERM')
    const code = await running
    const lines = at.stdout.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string })
    expect({ code, last: lines.at(-1), ends: lines.filter(({ type }) => type === 'result' || type === 'error').length }).toEqual({
      code: 143,
      last: { type: 'error', ok: false, code: 'cancelled', message: 'There is no result: the process was told to end (SIGTERM).' },
      ends: 1,
    })
  })

  it('while stdin is waited for it has one too', async () => {
    const at = world({ stdin: 'silent', model: scriptedModel() })
    const running = at.run('--output', 'json', '-')
    await vi.waitFor(() => expect(at.listeners()).toBe(3))
    at.signal('SIGINT')
    expect({ code: await running, stdout: at.stdout.text }).toEqual({
      code: 130,
      stdout: '{"type":"error","ok":false,"code":"cancelled","message":"There is no result: cancelled by the user."}\n',
    })
  })

  it('a closed stderr does not matter', async () => {
    const at = world({ model: scriptedModel({ text: 'Hi.' }), env: { NO_COLOR: '1' } })
    at.stderr.breaksAfter = 0
    expect({ code: await at.run('x'), stdout: at.stdout.text }).toEqual({ code: 0, stdout: 'Hi.\n' })
  })
})

describe('watchForStop', () => {
  const closed = new AbortController().signal
  const left = (stop: { readonly leave: Promise<void> }): Promise<boolean> => isSettled(stop.leave)

  it('cancels at the first Ctrl-C, and leaves at the second', async () => {
    const at = world()
    const stop = watchForStop(at.io, { closed })
    expect([stop.cause, stop.signal.aborted]).toEqual([undefined, false])
    at.signal('SIGINT')
    expect([stop.cause, stop.signal.aborted, await left(stop)]).toEqual(['interrupt', true, false])
    await at.clock.advance(3_600_000)
    expect(await left(stop)).toBe(false)
    stop.interrupt()
    expect([stop.cause, await left(stop)]).toEqual(['interrupt', true])
    stop.dispose()
  })

  it('waits for the work only so long once the process is to end', async () => {
    const at = world()
    const stop = watchForStop(at.io, { closed })
    at.signal('SIGTERM')
    await at.clock.advance(5999)
    expect([stop.cause, stop.signal.aborted, await left(stop)]).toEqual(['terminate', true, false])
    await at.clock.advance(1)
    expect(await left(stop)).toBe(true)
    stop.dispose()
  })

  it('takes SIGTERM after a Ctrl-C for more than that, and leaves at the next', async () => {
    const at = world()
    const stop = watchForStop(at.io, { closed })
    at.signal('SIGINT')
    at.signal('SIGTERM')
    expect([stop.cause, await left(stop)]).toEqual(['terminate', false])
    at.signal('SIGHUP')
    expect([stop.cause, await left(stop)]).toEqual(['terminate', true])
    stop.dispose()
  })

  it('knows of a reader that went away before, and lets go of everything', () => {
    const at = world()
    const stop = watchForStop(at.io, { closed: AbortSignal.abort() })
    expect(stop.cause).toBe('closed_pipe')
    stop.dispose()
    expect([at.listeners(), at.clock.sleeping]).toEqual([0, 0])
  })
})

it('is left at the second Ctrl-C though a model does not listen', async () => {
  const answered = deferred()
  const at = world({
    model: {
      provider: 'deaf',
      id: 'deaf',
      async *stream() {
        yield { type: 'message_start' }
        yield { type: 'block_start', index: 0, block: { type: 'text' } }
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'So far' } }
        await answered.promise
      },
    },
  })
  const running = at.run('x')
  await at.stdout.shows('So far')
  at.signal('SIGINT')
  at.signal('SIGINT')
  expect(await running).toBe(130)
  answered.resolve()
})

it('says when the output cannot be written, whatever the run had come to', async () => {
  const at = world({ model: scriptedModel({ text: 'Hi.' }) })
  at.stdout.breaksAfter = 0
  at.stdout.breaksWith = 'ENOSPC'
  expect({ code: await at.run('x'), stderr: at.stderr.text }).toEqual({
    code: 1,
    stderr: 'Cancelled.\nlena: The output could not be written: write ENOSPC.\n',
  })
})
