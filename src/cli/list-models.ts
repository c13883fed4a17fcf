import { chooseModel, providers } from './choose-model.ts'
import type { Environment } from './io.ts'
import { table } from './table.ts'

export type ModelsShown = {
  /** The model that is used, and what chose it. */
  readonly used: { readonly name: string; readonly by: string }
  readonly models: readonly { readonly name: string; readonly about: string; readonly variable: string | null; readonly ready: boolean }[]
}

/** What --model takes, and whether it could be used now. */
export function modelsShown(given: string | undefined, env: Environment): ModelsShown {
  return {
    used: chooseModel(given, env),
    models: [
      {
        name: 'offline',
        about: 'the built-in model: no key, no network; plain requests about files and commands',
        variable: null,
        ready: true,
      },
      ...providers.map(({ prefix, about, variable }) => ({
        name: `${prefix}MODEL`,
        about,
        variable,
        ready: Boolean(env[variable]?.trim()),
      })),
    ],
  }
}

/** The same for people. */
export function modelTable({ used, models }: ModelsShown): string {
  const rows = models.map(({ name, about, variable, ready }) => [
    name,
    variable === null ? 'always' : `${variable} ${ready ? 'is set' : 'is not set'}`,
    about,
  ])
  const by = used.by === 'nothing' ? 'no --model, no LENA_MODEL and no key is given' : `chosen by ${used.by}`
  return `${table([['MODEL', 'READY', 'WHAT IT IS'], ...rows])}\nUsed: ${used.name} (${by}).\n`
}
