import { settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { Session } from './session.ts'

/** A stream of changes that lasted so long, in milliseconds, is worth opening again. */
const steadyMs = 1000

/**
 * Since the newest revision changes are told over a stream of their own, which may break. Then it is opened again, and what was
 * missed is made up for. One that breaks at once is not opened again.
 */
export async function followChanges(
  { client, ended }: Session,
  { clock, timeoutMs, onChange }: { readonly clock: Clock; readonly timeoutMs: number; readonly onChange: () => void },
): Promise<void> {
  for (let stream = client.autoOpenedSubscription; stream;) {
    const since = clock.now()
    const why = await stream.closed
    if (why === 'local' || ended.aborted || clock.now() - since < steadyMs) return
    const next = await settle(client.listen({ toolsListChanged: true }, { timeout: timeoutMs }))
    if (!next.ok) return
    stream = next.value
    onChange()
  }
}
