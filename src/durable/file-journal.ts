import { InputError } from '../errors.ts'
import { aFunction, anything, checkOptions, isOptions } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import type { Step, StepRunner } from '../tools/steps.ts'
import type { JsonValue } from '../util/json.ts'
import { openHeader } from './header.ts'
import { JournalError } from './journal-error.ts'
import type { Place } from './journal-file.ts'
import { JournalFile } from './journal-file.ts'
import type { StepRecord } from './records.ts'
import { expectSame } from './records.ts'

export type JournalOptions = {
  /** Made when it is not there; its folder must be. */
  readonly file: string
  /** Told of a tool's step that was under way when the process died, before it runs again. */
  readonly onRepeat?: ((step: Step) => void) | undefined
}

export interface Journal extends StepRunner, AsyncDisposable {
  readonly conversationId: string
}

/**
 * Keeps what each model call and each tool call of an agent came to in one file, so that the same program, run again after a
 * crash, goes on where it was: `new Agent({ steps: fileJournal({ file }), … })`.
 *
 * A step counts as done once its record is on the disk, and is then never done again. A tool that was under way when the process
 * died runs a second time, with the same `idempotencyKey`. One process has the file at a time; dispose of the journal to let it go.
 *
 * @throws {InputError} without a file, or without its folder; {JournalError} for a file that is no journal. Steps throw a `JournalError` when the file
 * is in use, cannot be read, or holds a record of another step under the same name.
 */
export function fileJournal(options: JournalOptions): Journal {
  if (!isOptions(options)) throw new InputError(`fileJournal() needs { file }, the path of the journal, got ${describe(options)}.`)
  checkOptions('fileJournal', options, { file: anything, onRepeat: aFunction } satisfies RulesOf<JournalOptions>)
  const { file, onRepeat } = options
  if (typeof file !== 'string' || file === '' || file.includes('\0'))
    throw new InputError(`fileJournal() needs { file }, the path of the journal, got ${describe(file)}.`)
  const { conversationId } = openHeader(file)
  const started = new Map<string, StepRecord>()
  const ended = new Map<string, { readonly record: Step; readonly place: Place }>()
  const running = new Set<string>()
  let opening: Promise<JournalFile> | undefined
  let closed = false

  const opened = (): Promise<JournalFile> =>
    (opening ??= JournalFile.open(file, (record, place) => {
      if (record.type === 'started') started.set(record.name, record)
      else ended.set(record.name, { record, place })
    }).catch((error: unknown) => {
      // Who has the file may let it go: the next step tries again.
      opening = undefined
      for (const map of [started, ended]) map.clear()
      throw error
    }))

  const checkOpen = (): void => {
    if (closed) throw new JournalError(`The journal ${file} is closed. Open it again to go on.`, { code: 'journal_closed' })
  }

  async function perform<T extends JsonValue>(journal: JournalFile, step: Step, fn: () => Promise<T>): Promise<T> {
    const begun = started.get(step.name)
    if (begun) {
      expectSame(begun, step, file)
      onRepeat?.(step)
    } else if (step.kind === 'tool') await journal.append(JSON.stringify({ type: 'started', ...plain(step) }))
    const value = await fn()
    if (value === undefined)
      throw new JournalError(`The step ${step.name} gave undefined, which JSON cannot carry.`, { code: 'journal_damaged' })
    if (closed)
      throw new JournalError(
        `The journal ${file} was closed before the step ${step.name} had its record. Dispose of it once the run is over.`,
        { code: 'journal_closed' },
      )
    const place = await journal.append(JSON.stringify({ type: 'ended', ...plain(step), value }))
    ended.set(step.name, { record: plain(step), place })
    return value
  }

  return {
    // What began before its model call was recorded would be done again.
    concurrency: 'start_order',
    conversationId,
    async run<T extends JsonValue>(step: Step, fn: () => Promise<T>): Promise<T> {
      checkOpen()
      const journal = await opened()
      checkOpen()
      const known = ended.get(step.name)
      if (known) {
        expectSame(known.record, step, file)
        return (JSON.parse(await journal.read(known.place)) as { readonly value: T }).value
      }
      if (running.has(step.name))
        throw new JournalError(`The step ${step.name} is under way already: two runs share the journal ${file}. Give each its own.`, {
          code: 'journal_parts',
        })
      running.add(step.name)
      try {
        return await perform(journal, step, fn)
      } finally {
        running.delete(step.name)
      }
    },
    async recorded(step: Step): Promise<{ readonly value: JsonValue } | 'begun' | undefined> {
      checkOpen()
      const journal = await opened()
      checkOpen()
      const known = ended.get(step.name)
      const begun = started.get(step.name)
      const record = known?.record ?? begun
      if (record) expectSame(record, step, file)
      if (!known) return begun && 'begun'
      return { value: (JSON.parse(await journal.read(known.place)) as { readonly value: JsonValue }).value }
    },
    async [Symbol.asyncDispose]() {
      if (closed) return
      closed = true
      const journal = await opening?.catch(() => undefined)
      await journal?.close()
    },
  }
}

const plain = ({ name, kind, idempotencyKey, fingerprint }: Step): Step => ({
  name,
  kind,
  idempotencyKey,
  ...(fingerprint !== undefined && { fingerprint }),
})
