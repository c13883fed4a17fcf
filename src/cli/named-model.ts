import type { Environment } from './io.ts'

export type ModelChosen = {
  readonly name: string
  /** What chose it: `--model`, the variable that was set, `settings`, the server that answers, or `nothing`. */
  readonly by: string
  /** The address of the server that answers. */
  readonly at?: string | undefined
}

/** The model that somebody has named: --model, else LENA_MODEL, else the settings. Whoever named one waits for no list of providers. */
export function namedModel(given: string | undefined, env: Environment, set?: string): ModelChosen | undefined {
  if (given !== undefined) return { name: given, by: '--model' }
  const configured = valueOf(env, 'LENA_MODEL')
  if (configured !== undefined) return { name: configured, by: 'LENA_MODEL' }
  return set === undefined ? undefined : { name: set, by: 'settings' }
}

/** The one line that says which model is at work and why, for a model that the user did not name. */
export function modelNote(chosen: ModelChosen): string | undefined {
  const { name, by, at } = chosen
  if (name === 'offline') return offlineNote(chosen)
  if (by === '--model' || by === 'LENA_MODEL' || by === 'settings') return undefined
  return at === undefined ? `Model ${name} (${by} is set).` : `Model ${name} (${by} answers at ${at}).`
}

function offlineNote({ by }: ModelChosen): string {
  const why = by === 'nothing' ? ' (no key is set, no local server answers)' : ''
  return `Offline model${why}: plain requests about files and commands. For more give --model; \`lena models\` lists what there is.`
}

/** A variable that is set to nothing is not set. */
export const valueOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined
