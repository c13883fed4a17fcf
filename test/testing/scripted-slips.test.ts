import { scriptedModel } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../support/door.ts'

const error = new Error('no')
const call = { name: 'look', input: {} }

/** Each would be passed over, and the test that holds it would show another thing than it says. */
const slips: readonly (readonly [step: object, said: string])[] = [
  [{ text: 'a b', hang: true }, 'with `hang` alone nothing of `text` is said. Leave it out, or add `after`'],
  [{ text: 'a b', hang: 'deaf' }, 'nothing of `text` is said'],
  [{ reasoning: 'Hm.', hang: true }, 'nothing of `reasoning` is said'],
  [{ text: 'a b', error }, 'with `error` alone nothing of `text` is said'],
  [{ calls: [call], error }, 'nothing of `calls` is said'],
  [{ usage: { inputTokens: 1 }, hang: true }, 'nothing of `usage` is said'],
  [{ stopReason: 'refusal', error }, 'nothing of `stopReason` is said'],
  [{ text: 'a', after: 1 }, '`after` says where `error` or `hang` comes, got neither'],
  [{ error, hang: true }, 'an answer ends in `error` or in `hang`, got both'],
  [{ text: 'a', error, hang: 'deaf', after: 2 }, 'got both'],
  [{ text: 'a', hangs: true }, 'Did you mean "hang"?'],
  [{ calls: [{ ...call, ID: 'x' }] }, 'a call has no "ID". Did you mean "id"? It has name, input, id.'],
  [{ calls: [{ ...call, toolName: 'x' }] }, 'a call has no "toolName"'],
  [{ usage: { inputToken: 5 } }, '`usage` has no "inputToken". Did you mean "inputTokens"'],
  [{ stopReason: 'endturn' }, 'stopReason'],
]

describe('a slip in a step of a script', () => {
  it.each(slips)('%j', async (step, said) => {
    const text = String(await thrownBy(() => scriptedModel({ text: 'first' }, step)))
    expect(text).toContain('InputError: scriptedModel(')
    expect(text).toContain(said)
    const lazy = scriptedModel(() => step)
    const thrown = await thrownBy(async () => {
      for await (const _ of lazy.stream({} as never, { signal: new AbortController().signal }));
    })
    expect(String(thrown)).toContain(said)
  })

  it('names the step', async () => {
    expect(String(await thrownBy(() => scriptedModel({ text: 'first' }, { text: 'a b', hang: true })))).toContain(
      'scriptedModel(): step 2: ',
    )
  })
})

it('what goes together is no slip', () => {
  const good = [
    { hang: true },
    { error },
    { text: 'a', hang: false },
    { text: 'a', hang: false, after: 1 },
    { text: 'a', hang: true, after: 0 },
    { text: 'a', error, after: 0 },
    { calls: [{ ...call, id: undefined }], usage: {}, stopReason: 'end_turn' },
  ] as const
  expect(() => scriptedModel(...good)).not.toThrow()
})
