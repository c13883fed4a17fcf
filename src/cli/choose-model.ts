import type { Environment } from './io.ts'

/** A provider that --model can name, and the variable with its key. */
export const providers = [
  { prefix: 'openai/', variable: 'OPENAI_API_KEY', model: 'openai/gpt-5.4-mini', about: 'any model of OpenAI, for example openai/gpt-5.4' },
] as const

export type ModelChosen = {
  readonly name: string
  /** What chose it. */
  readonly by: '--model' | 'LENA_MODEL' | (typeof providers)[number]['variable'] | 'nothing'
}

/** --model, else LENA_MODEL, else the first provider whose key is in the environment, else the offline model. */
export function chooseModel(given: string | undefined, env: Environment): ModelChosen {
  if (given !== undefined) return { name: given, by: '--model' }
  const set = (name: string): string | undefined => env[name]?.trim() || undefined
  const configured = set('LENA_MODEL')
  if (configured !== undefined) return { name: configured, by: 'LENA_MODEL' }
  const keyed = providers.find(({ variable }) => set(variable) !== undefined)
  return keyed ? { name: keyed.model, by: keyed.variable } : { name: 'offline', by: 'nothing' }
}

/** The one line that says that no model of a provider is at work. */
export function offlineNote({ name, by }: ModelChosen): string | undefined {
  if (name !== 'offline') return undefined
  const why = by === 'nothing' ? ' (no key is set)' : ''
  return `Offline model${why}: plain requests about files and commands. For more set ${providers.map(({ variable }) => variable).join(' or ')} or give --model.`
}
