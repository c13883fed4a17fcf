import { describe, expect, it } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileResults } from 'lena-agent/toolkit'
import { budgetResult } from '../../src/results/budget.ts'
import type { ResultStore } from '../../src/results/result-store.ts'
import { testClock } from '../support/clock.ts'
import { budgeting, failingStore, resultOf } from './support/budgeting.ts'
import { newFolder } from './support/folder.ts'

const text = 'x'.repeat(30_001)

const cut = (reason: string) => ({
  result:
    resultOf(`The result has 30001 characters, too many to show here. It could not be stored (${reason}), so only its beginning is left:

${'x'.repeat(2000)}
[… 28001 of 30001 characters are lost. If you need them, ask for less at a time.]`),
  warning: {
    code: 'result_not_stored',
    message: `The result of the call call_1 of look has 30001 characters and could not be stored (${reason}); the model sees only its beginning.`,
  },
})

const budgeted = (put: ResultStore['put'], changes: Parameters<typeof budgeting>[1] = {}) =>
  budgetResult(resultOf(text), { ...budgeting(failingStore(put), changes), toolName: 'look' })

describe('a store that fails', () => {
  it.each<[name: string, put: () => unknown, reason: string]>([
    ['has no room', () => Promise.reject(new Error('ENOSPC: no space left on device, write')), 'ENOSPC: no space left on device, write'],
    [
      'throws at once',
      () => {
        throw new Error('EACCES: permission denied')
      },
      'EACCES: permission denied',
    ],
    ['throws what is no error', () => Promise.reject('nothing'), 'nothing'],
    ['throws what cannot be shown', () => Promise.reject(Object.create(null)), 'the result store failed'],
    ['gives back nothing', () => undefined, 'the result store gave back no path'],
    ['gives back an empty path', async () => ({ path: '' }), 'the result store gave back no path'],
    ['says a great deal', () => Promise.reject(new Error('n'.repeat(10_000))), 'n'.repeat(300)],
  ])('and %s: the result is cut, with a mark and a warning', async (_, put, reason) => {
    expect(await budgeted(put as ResultStore['put'])).toEqual(cut(reason))
  })

  it('and does not answer is given up after 30 seconds, and told so', async () => {
    const clock = testClock()
    let given: AbortSignal | undefined
    const pending = budgeted(
      (_, { signal }) => {
        given = signal
        return new Promise(() => {})
      },
      { bound: { signal: new AbortController().signal, graceMs: 0, clock } },
    )
    await clock.advance(29_999)
    expect(given?.aborted).toBe(false)
    await clock.advance(1)
    expect(await pending).toEqual(cut('the result store did not answer within 30 s'))
    expect(given?.aborted).toBe(true)
    expect(clock.sleeping()).toBe(0)
  })

  it('and does not answer a cancelled run is given up after the grace', async () => {
    const clock = testClock()
    const run = new AbortController()
    const pending = budgeted(() => new Promise(() => {}), { bound: { signal: run.signal, graceMs: 100, clock } })
    run.abort(new Error('cancelled'))
    await clock.advance(100)
    expect(await pending).toEqual(cut('the run was cancelled'))
    expect(clock.sleeping()).toBe(0)
  })

  it('in a cancelled run has the grace to store what is there', async () => {
    const clock = testClock()
    const run = new AbortController()
    run.abort(new Error('cancelled'))
    const pending = budgeted(async () => ({ path: '/kept' }), { bound: { signal: run.signal, graceMs: 100, clock } })
    expect((await pending)?.persisted).toEqual({ callId: 'call_1', ref: '/kept', chars: 30_001 })
    expect(clock.sleeping()).toBe(0)
  })
})

describe('files', () => {
  it('that cannot be written cost what would have been stored, and end nothing', async () => {
    const file = join(await newFolder(), 'file')
    await writeFile(file, '')
    const store = fileResults({ dir: join(file, 'state', 'r') })
    expect(await budgetResult(resultOf(text), { ...budgeting(store), toolName: 'look' })).toEqual(
      cut(`ENOTDIR: not a directory, mkdir '${join(file, 'state')}'`),
    )
  })

  it('that have no room neither', async () => {
    const store = fileResults({ dir: join(await newFolder(), 'r'), maxBytes: 1000 })
    expect(await budgetResult(resultOf(text), { ...budgeting(store), toolName: 'look' })).toEqual(
      cut('The result has 30001 bytes and the result store has room for 1000.'),
    )
  })
})
