import { ContextOverflowError, InputError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import { describe } from '../messages/stored.ts'
import type { ContextManager, ContextView } from './context-manager.ts'
import { tokensWith } from './estimate-tokens.ts'

type Work = (manager: ContextManager, view: ContextView) => Promise<readonly Message[] | undefined> | undefined

/**
 * Several context managers as one. Before a request each gets what the one before it has made, so the cheap ones come first; what
 * is short enough then is left alone by the others. After an overflow the first that finds something to shorten has done it.
 * One that fails does not keep the others from their turn.
 *
 * @throws {InputError} for a list that is empty or holds something else.
 */
export function contextManagers(managers: readonly ContextManager[]): ContextManager {
  if (!Array.isArray(managers) || managers.length === 0)
    throw new InputError(`contextManagers() takes a list such as [truncateResults(), slidingWindow()], got ${describe(managers)}.`)
  for (const manager of managers)
    if (typeof manager?.reduce !== 'function')
      throw new InputError(`contextManagers() takes context managers { name, before?(view), reduce(view) }, got ${describe(manager)}.`)
  const list = [...managers]
  return {
    name: list.map(({ name }) => name).join('+'),
    before: async (view) => await each(list, view, 'all', (manager, now) => manager.before?.(now)),
    reduce: async (view) => await each(list, view, 'first', (manager, now) => manager.reduce({ ...now, error: view.error })),
    compact: async (view) =>
      await each(list, view, 'all', (manager, now) =>
        manager.compact
          ? manager.compact({ ...now, focus: view.focus })
          : manager.reduce({ ...now, error: new ContextOverflowError('A shorter history was asked for.') }),
      ),
  }
}

async function each(
  managers: readonly ContextManager[],
  view: ContextView,
  which: 'all' | 'first',
  work: Work,
): Promise<readonly Message[] | undefined> {
  let now = view
  let changed = false
  const errors: unknown[] = []
  for (const manager of managers) {
    if (view.signal.aborted) break
    try {
      const messages = await work(manager, now)
      if (!messages || messages.length === 0) continue
      now = { ...now, messages, tokens: tokensWith(now, messages) }
      changed = true
      if (which === 'first') break
    } catch (error) {
      if (view.signal.aborted) throw error
      errors.push(error)
    }
  }
  // Told where nothing else will tell of it.
  if (errors.length > 0 && !changed) throw errors[0]
  for (const error of errors) await view.warn?.(error instanceof Error ? error.message : String(error))
  return changed ? now.messages : undefined
}
