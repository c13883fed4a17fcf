import type { JsonValue } from '../../util/json.ts'
import type { StateChange } from './entries.ts'

type State = Record<string, JsonValue>

/** Gives what has changed in the state since, field by field. */
export function watchState(state: State): () => StateChange | undefined {
  const before = textsOf(state)
  return () => {
    const after = textsOf(state)
    const set = Object.fromEntries(
      [...after].flatMap(([key, text]) => (before.get(key) === text ? [] : [[key, JSON.parse(text) as JsonValue]])),
    )
    const deleted = [...before.keys()].filter((key) => !after.has(key))
    if (Object.keys(set).length === 0 && deleted.length === 0) return undefined
    return { ...(Object.keys(set).length > 0 && { set }), ...(deleted.length > 0 && { deleted }) }
  }
}

/** Makes the change again. */
export function applyChange(state: State, { set = {}, deleted = [] }: StateChange): void {
  for (const [key, value] of Object.entries(set)) if (value !== undefined) state[key] = structuredClone<JsonValue>(value)
  for (const key of deleted) delete state[key]
}

/** What JSON cannot carry is not state. */
function textsOf(state: State): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(state)) {
    try {
      const text = JSON.stringify(value) as string | undefined
      if (text !== undefined) texts.set(key, text)
    } catch {
      // As if it were not there.
    }
  }
  return texts
}
