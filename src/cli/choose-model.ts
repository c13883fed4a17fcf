import { findLocalServers, pickLocalModel, providers } from '../index.ts'
import type { LocalServer } from '../index.ts'
import type { Environment } from './io.ts'
import { namedModel, valueOf } from './named-model.ts'
import type { ModelChosen } from './named-model.ts'

/**
 * --model, else LENA_MODEL, else the settings, else the first provider whose key is in the environment and that has a default model, else a model
 * of a server on this machine, else the offline model.
 *
 * @param servers those that answer. Asked for by nobody who named a model or has a key.
 * @param set the model of the settings.
 */
export function chooseModel(given: string | undefined, env: Environment, servers: readonly LocalServer[] = [], set?: string): ModelChosen {
  const named = namedModel(given, env, set)
  if (named) return named
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
  findServers: () => Promise<readonly LocalServer[]> = findLocalServers,
  set?: string,
): Promise<ModelChosen> {
  const chosen = chooseModel(given, env, [], set)
  return chosen.by === 'nothing' ? chooseModel(given, env, await findServers()) : chosen
}
