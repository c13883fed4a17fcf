import { describe, expect, it } from 'vitest'
import { budgetResult, budgetTurn } from '../../src/results/budget.ts'
import { fc } from '../support/fast-check.ts'
import { budgeting, failingStore, recordingStore, reference, resultOf, turnWhy } from './support/budgeting.ts'

const sized = (...sizes: readonly number[]) => sizes.map((size, index) => ({ result: resultOf('x'.repeat(size), `call_${index}`) }))

const readOn = 'Read on with read_result, path as above, offset=2000. '
const stored = (path: string, index: number, chars: number) => ({
  result: resultOf(reference(path, chars, 'x'.repeat(2000), readOn, turnWhy), `call_${index}`),
  persisted: { callId: `call_${index}`, ref: path, chars },
})

describe('the results of a turn', () => {
  it('stay when they have 200,000 characters together', () => {
    const store = recordingStore()
    expect(budgetTurn(sized(100_000, 99_999, 1), budgeting(store))).toBeUndefined()
    expect(store.kept).toEqual([])
  })

  it('go to the store until they fit, the largest first; told in the order of the calls', async () => {
    const store = recordingStore()
    expect(await budgetTurn(sized(60_000, 90_000, 10_000, 100_000), budgeting(store))).toEqual([stored('/kept/1', 3, 100_000)])
    const both = await budgetTurn(sized(60_000, 90_000, 10_000, 100_000), { ...budgeting(store), maxChars: 80_000 })
    expect(both).toEqual([stored('/kept/3', 1, 90_000), stored('/kept/2', 3, 100_000)])
  })

  it('go in the order of the calls where they are equal', async () => {
    const store = recordingStore()
    await budgetTurn(sized(50_000, 50_000, 50_000), { ...budgeting(store), maxChars: 60_000 })
    expect(store.kept.map(({ callId }) => callId)).toEqual(['call_0', 'call_1'])
  })

  it('count, but never move, where the tool opts out', async () => {
    const store = recordingStore()
    const [file, small, rest] = sized(300_000, 9000, 4000)
    const moved = await budgetTurn([{ ...file!, maxChars: Infinity }, small!, rest!], budgeting(store))
    expect(moved?.map(({ result }) => result.toolUseId)).toEqual(['call_1', 'call_2'])
    expect(budgetTurn([{ ...file!, maxChars: Infinity }], { ...budgeting(store), maxChars: Infinity })).toBeUndefined()
  })

  it('stay where a reference would be no shorter', async () => {
    const store = recordingStore()
    expect(await budgetTurn(sized(3000, 3000, 3000), { ...budgeting(store), maxChars: 100 })).toEqual([])
    expect(store.kept).toEqual([])
  })

  it('are not stored again where they are references, stored or lost', async () => {
    const store = recordingStore()
    const first = await budgetResult(resultOf('x'.repeat(40_000)), budgeting(store))
    const lost = await budgetResult(resultOf('x'.repeat(40_000)), budgeting(failingStore(() => Promise.reject(new Error('full')))))
    expect(await budgetTurn([first!, lost!], { ...budgeting(store, { previewChars: 10 }), maxChars: 1000 })).toEqual([])
    expect(store.kept).toHaveLength(1)
  })

  it('are cut when the store fails, and say so', async () => {
    const store = failingStore(() => Promise.reject(new Error('full')))
    const moved = await budgetTurn(sized(150_000, 100_000), budgeting(store))
    expect(moved?.map(({ persisted, warning }) => ({ persisted, code: warning?.code }))).toEqual([
      { persisted: undefined, code: 'result_not_stored' },
    ])
  })

  it('fit in the end, or nothing is left that could go, and no more go than must', async () => {
    const results = fc.array(fc.record({ size: fc.integer({ min: 0, max: 30_000 }), fixed: fc.boolean() }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(results, fc.integer({ min: 1, max: 100_000 }), async (given, maxChars) => {
        const turn = given.map(({ size, fixed }, i) => ({
          result: resultOf('x'.repeat(size), `call_${i}`),
          ...(fixed && { maxChars: Infinity }),
        }))
        const store = recordingStore()
        const moved = (await budgetTurn(turn, { ...budgeting(store), maxChars })) ?? []
        const after = new Map(moved.map(({ result }) => [result.toolUseId, result]))
        const lengthOf = ({ result }: (typeof turn)[number]): number =>
          (after.get(result.toolUseId) ?? result).content.reduce((sum, block) => sum + (block as { text: string }).text.length, 0)
        const total = turn.reduce((sum, entry) => sum + lengthOf(entry), 0)
        const wereMovable = turn.filter((_, i) => !given[i]!.fixed && given[i]!.size > 3000)
        expect(total <= maxChars || wereMovable.every(({ result }) => after.has(result.toolUseId))).toBe(true)
        // Each went for a reason: before the last one they did not fit.
        const last = store.kept.at(-1)
        if (last) {
          const saved = last.text.length - lengthOf(turn.find(({ result }) => result.toolUseId === last.callId)!)
          expect(total + saved).toBeGreaterThan(maxChars)
          for (const entry of wereMovable)
            if (!after.has(entry.result.toolUseId)) expect(lengthOf(entry)).toBeLessThanOrEqual(last.text.length)
        }
      }),
    )
  })
})
