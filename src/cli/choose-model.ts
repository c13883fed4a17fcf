import { Agent, pickLocalModel, providers } from '../index.ts'
import type { LocalServer } from '../index.ts'
import type { Environment, Io } from './io.ts'

export type ModelChosen = {
  readonly name: string
  /** What chose it: `--model`, the variable that was set, `settings`, the server that answers, or `nothing`. */
  readonly by: string
  /** The address of the server that answers. */
  readonly at?: string | undefined
}

/**
 * --model, else LENA_MODEL, else the settings, else the first provider whose key is in the environment and that has a default model, else a model
 * of a server on this machine, else the offline model.
 *
 * @param servers those that answer. Asked for by nobody who named a model or has a key.
 * @param set the model of the settings.
 */
export function chooseModel(given: string | undefined, env: Environment, servers: readonly LocalServer[] = [], set?: string): ModelChosen {
  if (given !== undefined) return { name: given, by: '--model' }
  const configured = valueOf(env, 'LENA_MODEL')
  if (configured !== undefined) return { name: configured, by: 'LENA_MODEL' }
  if (set !== undefined) return { name: set, by: 'settings' }
  for (const { name, variables, defaultModel } of providers) {
    const variable = variables.find((each) => valueOf(env, each) !== undefined)
    if (variable !== undefined && defaultModel !== undefined) return { name: `${name}/${defaultModel}`, by: variable }
  }
  const local = pickLocalModel(servers)
  if (local) return { name: `${local.server.name}/${local.id}`, by: local.server.name, at: local.server.baseURL }
  return { name: 'offline', by: 'nothing' }
}

/** The same, which looks for servers only when nothing else chooses, so that whoever named a model waits for nobody. */
export async function findModel(
  given: string | undefined,
  env: Environment,
  findServers: () => Promise<readonly LocalServer[]>,
  set?: string,
): Promise<ModelChosen> {
  const chosen = chooseModel(given, env, [], set)
  return chosen.by === 'nothing' ? chooseModel(given, env, await findServers()) : chosen
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

/**
 * Whether there is such a model, and what it needs to be asked.
 *
 * @throws what a task with it would fail with before it begins: a name that nobody has, a missing key.
 */
export async function checkModel({ modelOf }: Pick<Io, 'modelOf'>, name: string): Promise<void> {
  await using agent = new Agent({ model: modelOf?.(name) ?? name })
  await agent.ready()
}
