import { CassetteError } from './cassette-error.ts'
import { describeEntry } from './describe-entry.ts'
import { differenceOf, shownDifference } from './difference.ts'
import type { CassetteEntry, Mark, RecordedModel } from './entries.ts'

export type FoundMark = { readonly index: number } | { readonly mismatch: CassetteError }

/**
 * The recorded mark for what the run does now. Marks of what runs side by side may come in another order than they did; what was asked,
 * or given to a tool, must be the same.
 */
export function findMark(entries: readonly CassetteEntry[], used: readonly boolean[], head: number, mark: Mark): FoundMark {
  const got = contentOf(mark)
  let nearest: number | undefined
  for (let index = head; index < entries.length; index++) {
    const entry = entries[index]!
    if (used[index] || entry.type !== mark.type || !isSamePlace(entry, mark)) continue
    if (isAnyModel(mark) || !differenceOf(contentOf(entry), got)) return { index }
    nearest ??= index
  }
  return { mismatch: nearest === undefined ? nothingLeft(entries, head, mark) : notTheSame(entries[nearest] as Mark, mark) }
}

/** Stands for a model that only the cassette knows. */
export const anyModel: RecordedModel = { provider: '', id: '' }

const isAnyModel = (mark: Mark): boolean => mark.type === 'model' && mark.model === anyModel

/** Could it be the same thing, with other contents? */
function isSamePlace(entry: Mark, mark: Mark): boolean {
  if (entry.type === 'id') return entry.kind === (mark as typeof entry).kind
  if (entry.type === 'model_start') return entry.model === (mark as typeof entry).model
  if (entry.type === 'model_left') return entry.call === (mark as typeof entry).call
  if (entry.type === 'tool_start') return entry.callId === (mark as typeof entry).callId && entry.name === (mark as typeof entry).name
  return true
}

/** What must be as it was. Numbers are given in the order of the recording. */
function contentOf(mark: Mark): unknown {
  switch (mark.type) {
    case 'sleep':
      return { ms: mark.ms }
    case 'model':
      return mark.model
    case 'model_start':
      return { ...mark.request.fields, messages: mark.request.messages }
    case 'tool_start':
      return { input: mark.input }
    case 'effect_start':
      return { name: mark.name }
    default:
      return {}
  }
}

function notTheSame(entry: Mark, mark: Mark): CassetteError {
  const difference = differenceOf(contentOf(entry), contentOf(mark))!
  const step = describeEntry(entry)
  return new CassetteError(`The replay parts from the recording at ${step}: ${difference.path}: ${shownDifference(difference)}.`, {
    code: 'cassette_mismatch',
    step,
    ...difference,
  })
}

function nothingLeft(entries: readonly CassetteEntry[], head: number, mark: Mark): CassetteError {
  const next = entries[head]
  const step = describeEntry(mark)
  const expected = next ? describeEntry(next) : null
  return new CassetteError(
    `The replay parts from the recording: it has come to ${step}, which the recording does not have. ${expected === null ? 'The recording has ended.' : `It goes on with ${expected}.`}`,
    { code: 'cassette_mismatch', step, expected, got: step },
  )
}
