import { findLocalServers, providers } from '../index.ts'
import type { LocalServer } from '../index.ts'
import { chooseModel } from './choose-model.ts'
import { valueOf } from './named-model.ts'
import type { ModelChosen } from './named-model.ts'
import type { CommandRun } from './command.ts'
import { loadSettings } from './config/load-settings.ts'
import { exitCodes } from './exit-code.ts'
import type { Environment, Io } from './io.ts'
import { safeJson, withoutControls } from './sanitise.ts'
import { table } from './table.ts'

/** `lena models` */
export async function listModels({ io, out, options, workspace }: CommandRun): Promise<number> {
  const [{ values, sources }, servers] = await Promise.all([loadSettings(io, workspace), findServers(io)])
  // A variable is told by its own name.
  const set = sources.model[0] === 'environment' ? undefined : values.model
  const shown = modelsShown(options.model, io.env, servers, set)
  out.write(options.output === 'json' ? `${safeJson(shown)}\n` : withoutControls(modelTable(shown, out.wrapWidth)))
  return exitCodes.done
}

export type ModelShown = {
  readonly name: string
  readonly about: string
  /** The variable with its key: of several the one that is set. */
  readonly variable: string | null
  /** Could it be used now? Of a server on this machine: does it answer? */
  readonly ready: boolean
  /** The model that is taken when only the key is there. */
  readonly default: string | null
}

export type ModelsShown = {
  /** The model that is used, and what chose it. */
  readonly used: ModelChosen
  readonly models: readonly ModelShown[]
  /** The servers on this machine that answer, when somebody looked for them. */
  readonly servers?: readonly LocalServer[] | undefined
}

/** Those on this machine that answer. */
const findServers = (io: Io): Promise<readonly LocalServer[]> => (io.findServers ?? findLocalServers)()

/**
 * What --model takes, and whether it could be used now.
 *
 * @param servers those that answer. When nobody looked for them, nothing is said of servers on this machine.
 */
export function modelsShown(given: string | undefined, env: Environment, servers?: readonly LocalServer[], set?: string): ModelsShown {
  const shown = providers.filter(({ variables }) => variables.length > 0 || servers !== undefined)
  return {
    used: chooseModel(given, env, servers, set),
    models: [
      {
        name: 'offline',
        about: 'the built-in model: no key, no network; plain requests about files and commands',
        variable: null,
        ready: true,
        default: null,
      },
      ...shown.map(({ name, about, variables, defaultModel }) => {
        const set = variables.find((each) => valueOf(env, each) !== undefined)
        return {
          name: `${name}/MODEL`,
          about,
          variable: set ?? variables[0] ?? null,
          ready: set !== undefined || servers?.some((server) => server.name === name) === true,
          default: defaultModel === undefined ? null : `${name}/${defaultModel}`,
        }
      }),
    ],
    ...(servers && { servers }),
  }
}

/** The same for people. */
export function modelTable({ used, models, servers }: ModelsShown, width?: number): string {
  const rows = models.map((model) => [
    model.name,
    readiness(model),
    model.default === null ? model.about : `${model.about}, such as ${model.default}`,
  ])
  const found = (servers ?? []).map(
    ({ name, baseURL, models: ids }) => `${name} at ${baseURL}: ${ids.length === 0 ? 'no model' : ids.join(', ')}\n`,
  )
  return `${table([['MODEL', 'READY', 'WHAT IT IS'], ...rows], width)}\n${found.join('')}Used: ${used.name} (${reasonOf(used, servers !== undefined)}).\n`
}

function readiness({ name, variable, ready }: ModelShown): string {
  if (name === 'offline') return 'always'
  if (variable === null) return ready ? 'answers' : 'does not answer'
  return `${variable} ${ready ? 'is set' : 'is not set'}`
}

function reasonOf({ by, at }: ModelChosen, looked: boolean): string {
  if (by === 'settings') return 'as the settings say'
  if (by === 'nothing') return `no --model, no LENA_MODEL and no key is given${looked ? ', and no server with a model answers' : ''}`
  return at === undefined ? `chosen by ${by}` : `${by} answers`
}
