import type { Lookups } from './file-system.ts'

/** What a look-up gave, or threw. */
type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Look-ups of one judgement: what was asked once is not asked again, so that a line with a thousand words asks once for the folders that
 * they share. For one moment only: files change.
 */
export function rememberedLookups(look: Lookups): Lookups {
  const remembered = <T>(ask: (path: string) => T): ((path: string) => T) => {
    const known = new Map<string, Outcome>()
    return (path) => {
      let outcome = known.get(path)
      if (!outcome) known.set(path, (outcome = outcomeOf(() => ask(path))))
      if ('error' in outcome) throw outcome.error
      return outcome.value as T
    }
  }
  return {
    realpath: remembered((path) => look.realpath(path)),
    readlink: remembered((path) => look.readlink(path)),
    stat: remembered((path) => look.stat(path)),
    exists: remembered((path) => look.exists(path)),
    list: remembered((path) => look.list(path)),
    read: remembered((path) => look.read(path)),
  }
}

function outcomeOf(ask: () => unknown): Outcome {
  try {
    return { value: ask() }
  } catch (error) {
    return { error }
  }
}
