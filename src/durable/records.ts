import type { Step } from '../tools/steps.ts'
import { isObject } from '../util/json.ts'
import { JournalError } from './journal-error.ts'

export const version = 1

/** The first line of a journal. */
export type Header = { readonly type: 'journal'; readonly version: number; readonly conversationId: string }

/** The start of a tool's step, or the end of any. */
export type StepRecord = Step & { readonly type: 'started' | 'ended' }

export function readHeader(line: string, file: string): Header {
  const header = parsed(line, file, 1)
  if (header['type'] !== 'journal' || typeof header['conversationId'] !== 'string')
    throw damaged(file, 1, 'it is not the header of a journal')
  if (header['version'] !== version)
    throw new JournalError(
      `${file} is a journal of version ${String(header['version'])}, and this lena-agent reads version ${version}. Use the version that wrote it, or a new file.`,
      { code: 'journal_damaged' },
    )
  return header as Header
}

/** A record without its value, which stays in the file until it is asked for. */
export function readRecord(line: string, file: string, number: number): StepRecord {
  const { type, name, kind, idempotencyKey, fingerprint, value } = parsed(line, file, number)
  const isStep = typeof name === 'string' && (kind === 'model' || kind === 'tool') && typeof idempotencyKey === 'string'
  if (!isStep || (type !== 'started' && type !== 'ended')) throw damaged(file, number, 'it is no record of a step')
  if (type === 'ended' && value === undefined) throw damaged(file, number, 'it has no value')
  return { type, name, kind, idempotencyKey, ...(typeof fingerprint === 'string' && { fingerprint }) }
}

function parsed(line: string, file: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw damaged(file, number, 'it is no JSON object')
}

const damaged = (file: string, number: number, what: string): JournalError =>
  new JournalError(`Line ${number} of the journal ${file} cannot be read: ${what}. Restore the file, or begin with a new one.`, {
    code: 'journal_damaged',
  })

/** Is this the step that the record was made of? A stale answer must not be given for another. */
export function expectSame(record: Step, step: Step, file: string): void {
  for (const key of ['kind', 'idempotencyKey', 'fingerprint'] as const) {
    const [expected, got] = [record[key], step[key]]
    if (expected === got || (key === 'fingerprint' && (expected === undefined || got === undefined))) continue
    throw new JournalError(
      `The run parts from the journal ${file} at the step ${step.name}: its ${key} was ${expected}, and is now ${got}. ` +
        'Run the same program on the same input to go on, or begin with a new file.',
      { code: 'journal_parts' },
    )
  }
}
