import { describe, expect, it } from 'vitest'
import type { StandardSchema } from '../../src/tools/standard-schema.ts'
import { jsonSchema } from '../../src/tools/schema.ts'
import { tool } from '../../src/tools/tool.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** A schema whose check answers what the test says. */
function answering(given: unknown): StandardSchema<object> {
  const { '~standard': standard } = jsonSchema<object>({ type: 'object' })
  return { '~standard': { ...standard, validate: () => given as never } }
}

const execute = (): string => 'ran'
const result = async (checked: Tool): Promise<string | undefined> => {
  const { agent } = makeAgent([{ calls: [{ name: 'checked', input: {} }] }, { text: 'Done.' }], { tools: [checked] })
  await agent.invoke('go')
  return sketch(agent.messages)[2]
}
const broken = (got: string): string =>
  `user: call_1 error/invalid_input ${JSON.stringify(`TypeError: The schema does not say whether this is valid: validate() must give { value } or { issues: [{ message, path? }] }, got ${got}.`)}`

describe('a check that answers what is no answer is an error result that says so, and nothing runs', () => {
  it.each([
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['true', true, 'true'],
    ['an empty object', {}, 'an object'],
    ['issues that are a text', { issues: 'bad' }, 'an object'],
    ['issues without a message', { issues: [{ path: [] }] }, 'an object'],
  ])('%s', async (_, given, got) => {
    expect(await result(tool({ name: 'checked', description: 'd', inputSchema: answering(given), execute }))).toBe(broken(got))
    const port: Tool = { name: 'checked', description: 'd', inputSchema: { type: 'object' }, validate: () => given as never, run: execute }
    expect(await result(port)).toBe(broken(got))
    port.validate = async () => given as never
    expect(await result(port)).toBe(broken(got))
  })
})

describe('a check may answer as libraries do', () => {
  it.each([
    ['with a value that is undefined', { value: undefined }],
    ['with issues that are undefined', { value: {}, issues: undefined }],
    [
      'with an instance of a class',
      new (class {
        value = {}
      })(),
    ],
  ])('%s', async (_, given) => {
    expect(await result(tool({ name: 'checked', description: 'd', inputSchema: answering(given), execute }))).toBe(
      'user: call_1 success "ran"',
    )
  })

  it('with a list that has issues of its own', async () => {
    const list = Object.assign([], { issues: [{ message: 'too short', path: ['a'] }] })
    expect(await result(tool({ name: 'checked', description: 'd', inputSchema: answering(list), execute }))).toContain(
      '- a: too short; got nothing',
    )
  })
})

it('the answer of a run: the check that answers nothing is told as what is wrong with it', async () => {
  const calls = { calls: [{ name: 'final_answer', input: { a: 1 } }] }
  const { agent } = makeAgent([calls])
  const running = agent.invoke('go', { output: { schema: answering(undefined), attempts: 1, mode: 'tool' } })
  await expect(running).rejects.toMatchObject({
    code: 'no_output',
    issues: [expect.stringContaining('could not be checked: The schema does not say whether this is valid')],
  })
})
