import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/util/json.ts'
import { check } from '../../src/messages/check.ts'
import { budgetResult, budgetTurn } from '../../src/results/budget.ts'
import { memoryResults } from '../../src/results/memory-results.ts'
import { memorySessions } from '../../src/sessions/memory-sessions.ts'
import { Session } from '../../src/sessions/session.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'
import { toolNamed } from '../support/tools.ts'
import { budgeting, failingStore, recordingStore, reference, resultOf, turnWhy } from './support/budgeting.ts'

const structuredContent = { rows: 'y'.repeat(500) }
const written = JSON.stringify(structuredContent)
const withStructured = (text: string, value: JsonValue = structuredContent) => ({ ...resultOf(text), structuredContent: value })
const readOn = 'Read on with read_result, path as above, offset=10. '

describe('structured content', () => {
  it('is left where it fits', () => {
    const options = { ...budgeting(recordingStore()), maxChars: written.length }
    expect(budgetResult(withStructured('short'), options)).toBeUndefined()
  })

  it('is left, whatever it is, where the tool opts out', () => {
    const options = { ...budgeting(recordingStore()), maxChars: Infinity }
    expect(budgetResult(withStructured('short', 'y'.repeat(1_000_000)), options)).toBeUndefined()
  })

  it('that alone is too long goes to the store; what the result says stays, with a reference behind it', async () => {
    const store = recordingStore()
    const why = 'of structured content, too many to keep here'
    const { content } = resultOf(reference('/kept/1', written.length, written.slice(0, 10), readOn, why))
    expect(await budgetResult(withStructured('short'), { ...budgeting(store), maxChars: 40, previewChars: 10 })).toEqual({
      result: { ...resultOf('short'), content: [{ type: 'text', text: 'short' }, ...content] },
      persisted: { callId: 'call_1', ref: '/kept/1', chars: written.length },
    })
    expect(store.kept.map(({ text }) => text)).toEqual([written])
  })

  it('goes to the store with the text where both are too long', async () => {
    const store = recordingStore()
    const text = `${'x'.repeat(500)}\n${written}`
    expect(await budgetResult(withStructured('x'.repeat(500)), { ...budgeting(store), maxChars: 40, previewChars: 10 })).toEqual({
      result: resultOf(reference('/kept/1', text.length, 'x'.repeat(10), readOn)),
      persisted: { callId: 'call_1', ref: '/kept/1', chars: text.length },
    })
    expect(store.kept.map((kept) => kept.text)).toEqual([text])
  })

  it.each([
    ['at once', written],
    ['over several lines', JSON.stringify(structuredContent, null, 2)],
    ['with words around it', `Here it is: ${written}.`],
  ])('is not stored twice where the text is its JSON, written %s', async (_, text) => {
    const store = recordingStore()
    const budgeted = await budgetResult(withStructured(text), { ...budgeting(store), maxChars: 40 })
    expect([store.kept.map((kept) => kept.text), budgeted?.result.structuredContent]).toEqual([[text], undefined])
  })

  it('is not kept in spite of a store that failed, and the result says that it is lost', async () => {
    const store = failingStore(() => Promise.reject(new Error('full')))
    const budgeted = await budgetResult(withStructured('short'), { ...budgeting(store), maxChars: 40, previewChars: 10 })
    expect(budgeted?.warning?.code).toBe('result_not_stored')
    expect(budgeted?.result).toEqual({
      ...resultOf('short'),
      content: [
        { type: 'text', text: 'short' },
        {
          type: 'text',
          text: `The result has ${written.length} characters, of structured content, too many to keep here. It could not be stored (full), so only its beginning is left:

${written.slice(0, 10)}
[… ${written.length - 10} of ${written.length} characters are lost. If you need them, ask for less at a time.]`,
        },
      ],
    })
  })

  it('that is long goes with its text when a turn is too long together', async () => {
    const store = recordingStore()
    const rows = 'y'.repeat(40_000)
    const text = `${'x'.repeat(5000)}\n${JSON.stringify(rows)}`
    const [budgeted] =
      (await budgetTurn([{ result: withStructured('x'.repeat(5000), rows) }], { ...budgeting(store), maxChars: 4000 })) ?? []
    expect(budgeted?.result).toEqual(
      resultOf(reference('/kept/1', text.length, 'x'.repeat(2000), 'Read on with read_result, path as above, offset=2000. ', turnWhy)),
    )
    expect(store.kept.map((kept) => kept.text)).toEqual([text])
  })
})

it('5 MB of structured content leave the history and the session small', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => ({ at, name: 'x'.repeat(80) }))
  const table = toolNamed('table', () => ({ status: 'success' as const, content: 'There are 50,000 rows.', structuredContent: { rows } }))
  const store = memorySessions()
  const results = memoryResults()
  const { agent } = makeAgent([{ calls: [{ name: 'table', input: { at: 1 } }] }, { text: 'Done.' }], {
    tools: [table],
    results,
    session: new Session({ id: 'rows', store }),
  })
  const { events } = await collect(agent.stream('go'))
  expect([checkEvents(events), check(agent.messages)]).toEqual([[], []])
  expect(JSON.stringify(agent.messages).length).toBeLessThan(4000)
  const { signal } = new AbortController()
  expect(JSON.stringify(await store.load('rows', { signal })).length).toBeLessThan(8000)
  const [persisted] = events.flatMap((event) => (event.type === 'result_persisted' ? [event] : []))
  const whole = await results.read(persisted!.ref, { offset: 0, limit: 10_000_000, signal })
  expect(JSON.parse(whole.text)).toEqual({ rows })
})
