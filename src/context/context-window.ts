import type { Model } from '../models/model.ts'

/** Assumed of a model that does not say. */
const defaultWindow = 200_000

/** Tokens that the model takes in all. A window of nothing is what servers say that do not know: held to that, no history would be left. */
export function contextWindowOf({ contextWindow }: Pick<Model, 'contextWindow'>): number {
  return contextWindow !== undefined && contextWindow > 0 ? contextWindow : defaultWindow
}
