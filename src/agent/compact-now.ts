import { compact } from '../context/compact.ts'
import type { Compacted } from '../context/compact.ts'
import { InputError } from '../errors.ts'
import { reasonOf } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import { agree, replaceHistory, viewOf } from './manage-context.ts'
import type { Run } from './run.ts'
import { openLog } from './session-log.ts'

/** Shortens the history outside a run, by the agent's context manager. */
export async function compactNow(run: Run, focus: string | undefined): Promise<Compacted> {
  const { core } = run
  if (!core.context)
    throw new InputError('This agent has no context manager, so nothing can be shortened. Give it one: `context: summarising()`.')
  run.model = await core.ready(run.signal)
  // Then there need not be a model.
  if (run.cancelled) throw reasonOf(run.signal)
  await openLog(core, run.signal)
  const view = viewOf(run)
  const compacted = await compact(core.context, { ...view, focus })
  if (!compacted.changed) return compacted
  const agreed = await agree(run, view, compacted.messages, 'asked')
  if (run.cancelled) throw reasonOf(run.signal)
  if (!agreed) return { messages: view.messages, changed: false, tokensBefore: view.tokens, tokensAfter: view.tokens }
  const { tokensAfter } = replaceHistory(run, view, agreed)
  if (core.log) await settleBounded(core.log.save(core), run.bound)
  return { ...compacted, messages: agreed, tokensAfter }
}
