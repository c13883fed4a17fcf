import { describe, expect, it, vi } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import type { ScriptStep } from '../../src/testing/index.ts'
import { world } from './support/world.ts'

// The first run loads all that a task needs.
vi.setConfig({ testTimeout: 60_000 })

/** Says how many messages it was sent, and the newest prompt. */
const echo: ScriptStep = ({ messages }) => {
  const last = messages
    .at(-1)!
    .content.map((block) => (block.type === 'text' ? block.text : block.type))
    .join('|')
  return { text: `${messages.length}: ${last}` }
}
const prompt = '> '

describe('a conversation', () => {
  it('goes on from line to line, and ends with Ctrl-D', async () => {
    const at = world({ stdin: 'terminal', cwd: '/', model: scriptedModel(echo, echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    expect(at.stdout.text).toMatch(/^Lena \d+\.\d+\.\d+, model scripted\/model, in \/\. \/help for help, Ctrl-D to leave\.\n/)
    at.type('one\r')
    await at.stdout.shows('1: one\n')
    await at.stdout.shows(prompt, 2)
    at.type('  \r')
    await at.stdout.shows(prompt, 3)
    at.type('two\r')
    await at.stdout.shows('3: two\n')
    await at.stdout.shows(prompt, 4)
    at.type('\u0004')
    expect({ code: await running, stderr: at.stderr.text, listeners: at.listeners(), keys: at.io.stdin.listenerCount('keypress') }).toEqual(
      { code: 0, stderr: '', listeners: 0, keys: 0 },
    )
  })

  it.each(['/exit', '/quit'])('ends with %s', async (line) => {
    const at = world({ stdin: 'terminal', model: scriptedModel() })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type(`${line}\r`)
    expect(await running).toBe(0)
  })

  it('explains itself', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel() })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('/help\r')
    await at.stdout.shows('leave (also /quit, Ctrl-D)\n')
    await at.stdout.shows(prompt, 2)
    at.type('\u0004')
    expect(await running).toBe(0)
  })

  it('takes pasted lines one after another', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(echo, echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\rtwo\rthr')
    await at.stdout.shows('3: two\n')
    await at.stdout.shows('thr')
    at.type('\u0003')
    await at.stdout.shows('^C')
    at.type('\u0003')
    expect(await running).toBe(0)
  })

  it('goes on after a failure', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel({ error: new Error('broken') }, echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\r')
    await at.stderr.shows('lena: The model failed: broken\n')
    await at.stdout.shows(prompt, 2)
    at.type('two\r')
    await at.stdout.shows('1: one|two\n')
    await at.stdout.shows(prompt, 3)
    at.type('\u0004')
    expect(await running).toBe(0)
  })

  it('tells of a wrong model before anything was typed', async () => {
    const at = world({ stdin: 'terminal', env: { NO_COLOR: '1', LENA_MODEL: 'nobody/x' } })
    expect({ code: await at.run(), stdout: at.stdout.text }).toEqual({ code: 2, stdout: '' })
    expect(at.stderr.text).toMatch(/^lena: There is no model "nobody\/x"\./)
  })
})

describe('Ctrl-C', () => {
  const hanging: ScriptStep = { text: 'So far so good', hang: true, after: 5 }

  it('once cancels the turn, and the conversation goes on', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(hanging, echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\r')
    await at.stdout.shows('so ')
    at.signal('SIGINT')
    await at.stdout.shows(prompt, 2)
    expect(at.stderr.text).toBe('Cancelled.\n')
    at.type('two\r')
    await at.stdout.shows('3: two\n')
    await at.stdout.shows(prompt, 3)
    at.type('\u0004')
    expect(await running).toBe(0)
  })

  it('again at the empty prompt leaves', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(hanging) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\r')
    await at.stdout.shows('so ')
    at.signal('SIGINT')
    await at.stdout.shows(prompt, 2)
    at.type('\u0003')
    expect(await running).toBe(0)
  })

  it('twice leaves a turn that does not end', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(() => ({ text: 'So far', hang: 'deaf', after: 3 })) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\r')
    await at.stdout.shows('So ')
    at.signal('SIGINT')
    at.signal('SIGINT')
    expect(await running).toBe(130)
  })

  it('gives up a line that has begun', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('wrong')
    at.type('\u0003')
    await at.stdout.shows('^C')
    at.type('right\r')
    await at.stdout.shows('1: right\n')
    await at.stdout.shows(prompt, 3)
    at.type('\u0003')
    expect(await running).toBe(0)
  })

  it('drops what was pasted behind the task', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(hanging, echo) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\rnot this\r')
    await at.stdout.shows('so ')
    at.signal('SIGINT')
    await at.stdout.shows(prompt, 2)
    at.type('two\r')
    await at.stdout.shows('3: two\n')
    await at.stdout.shows(prompt, 3)
    at.type('\u0004')
    expect(await running).toBe(0)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ] as const)('%s at the prompt leaves with %i', async (name, code) => {
    const at = world({ stdin: 'terminal', model: scriptedModel() })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.signal(name)
    expect({ code: await running, keys: at.io.stdin.listenerCount('keypress') }).toEqual({ code, keys: 0 })
  })

  it('SIGTERM in a turn leaves', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(hanging) })
    const running = at.run()
    await at.stdout.shows(prompt)
    at.type('one\r')
    await at.stdout.shows('so ')
    at.signal('SIGTERM')
    expect(await running).toBe(143)
  })
})
