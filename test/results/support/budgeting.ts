import type { ToolResultBlock, ToolResultContent } from '../../../src/messages/content.ts'
import type { BudgetOptions } from '../../../src/results/budget.ts'
import type { ResultStore, StoredResult } from '../../../src/results/result-store.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { testClock } from '../../support/clock.ts'

export type RecordingStore = ResultStore & { readonly kept: readonly StoredResult[] }

/** Keeps what it is given under `/kept/1`, `/kept/2`, … */
export function recordingStore(): RecordingStore {
  const kept: StoredResult[] = []
  return {
    kept,
    put: async (result) => ({ path: `/kept/${kept.push(result)}` }),
    read: () => Promise.reject(new Error('not read here')),
    owns: async () => false,
    remove: async () => {},
  }
}

export const failingStore = (put: ResultStore['put']): ResultStore => ({ ...recordingStore(), put })

export const budgeting = (store: ResultStore, changes: Partial<BudgetOptions> = {}): BudgetOptions => ({
  store,
  conversationId: 'conv_1',
  reader: () => ({ name: 'read_result', offset: 'character' }),
  bound: { signal: new AbortController().signal, graceMs: 0, clock: testClock() },
  ...changes,
})

export const resultOf = (
  content: string | readonly ToolResultContent[],
  toolUseId = 'call_1',
  status: 'success' | 'error' = 'success',
): ToolResultBlock =>
  freezeOwn({ type: 'tool_result', toolUseId, status, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content })

/** The text that stands in the place of a stored result. */
export const reference = (path: string, chars: number, preview: string, reading: string, why = 'too many to show here'): string =>
  `<persisted-output path="${path}" chars="${chars}"/>
The result has ${chars} characters, ${why}. It is stored whole at this path. ${reading}This is its beginning:

${preview}
[… ${chars - preview.length} of ${chars} characters are left out here.]`

export const turnWhy = 'and the results of this turn are too long together'
