import { ContentFilterError, IncompleteStreamError, NetworkError, OverloadedError, ThrottledError } from '../errors.ts'
import type { AgentError } from '../errors.ts'
import { nameOf } from '../models/model.ts'
import type { Model } from '../models/model.ts'
import type { Run } from './run.ts'

/** Why the next model of the list should take over, as a code: this one is overloaded, cannot be reached, or refuses. */
export function reasonToSwitch(error: AgentError): string | undefined {
  const kinds = [ThrottledError, OverloadedError, NetworkError, IncompleteStreamError, ContentFilterError]
  return kinds.some((kind) => error instanceof kind) ? error.code : undefined
}

/** The next model of the list, if there is one. One that cannot be loaded is told and passed over. */
export async function nextModel(run: Run): Promise<Model | undefined> {
  while (++run.modelIndex < run.core.modelCount) {
    try {
      return await run.core.modelAt(run.modelIndex, run.signal)
    } catch (error) {
      await run.warn('model_unavailable', `A model of the list cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  run.modelIndex = run.core.modelCount - 1
  return undefined
}

/** From here on, to the end of the run, the next model answers. The history is the same: each provider leaves out what is not its own. */
export async function switchModel(run: Run, next: Model, code: string): Promise<void> {
  const from = nameOf(run.model!)
  run.model = next
  await run.emit?.({ type: 'model_switch', ...run.base, from, to: nameOf(next), code })
}
