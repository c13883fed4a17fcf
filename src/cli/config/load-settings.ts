import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CliOptions } from '../args.ts'
import { configFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import type { AskTrust } from '../trust/ask-trust.ts'
import { isObeyed } from '../trust/is-obeyed.ts'
import type { ProjectFile } from '../trust/project-file.ts'
import { readProjectFile } from '../trust/project-file.ts'
import { trustStore } from '../trust/trust-store.ts'
import { visible } from '../trust/visible.ts'
import { UsageError } from '../usage-error.ts'
import type { ConfigFile, PartialSettings } from './config-file.ts'
import { configFileOf, faultOf, faulty, noFile, readConfigFile } from './config-file.ts'
import { repositoryOf } from './repository.ts'
import type { SettingName, SettingValues } from './setting-table.ts'
import { settingNames, settingTable } from './setting-table.ts'

export type SettingSource = 'option' | 'environment' | 'project' | 'user' | 'default'

/** All settings as they hold, and who said so. */
export type Settings = {
  readonly values: { readonly [K in SettingName]: SettingValues[K] | undefined }
  readonly sources: Readonly<Record<SettingName, readonly SettingSource[]>>
  readonly user: ConfigFile
  readonly project: ConfigFile
  /** Does the user trust the folder? Else only what takes away counts of the project's settings. */
  readonly isTrusted: boolean
  /** What is to be told: settings that are not known, or do not count. */
  readonly warnings: readonly string[]
  /** What keeps a task from beginning. */
  readonly faults: readonly string[]
}

export const userConfigPath = (io: Io): string => join(configFolder(io), 'config.json')

/** The nearest `.lena/config.json`, from the workspace up to the root of its repository. Without one: where it would be. */
export function projectConfigPath(workspace: string): string {
  const root = repositoryOf(workspace)
  for (let folder = workspace; ; folder = dirname(folder)) {
    const path = join(folder, '.lena', 'config.json')
    if (existsSync(path)) return path
    if (root === undefined || folder === root || dirname(folder) === folder) return join(workspace, '.lena', 'config.json')
  }
}

export type LoadOptions = {
  /** Those of the command line. */
  readonly options?: Pick<CliOptions, 'model' | 'mode' | 'maxTurns' | 'allow' | 'deny'> | undefined
  /** Asks whether the settings of the project may be obeyed. Without it they are left out until somebody has said so. */
  readonly ask?: AskTrust | undefined
  readonly signal?: AbortSignal | undefined
}

/** An option goes before a variable, that before the project, and that before the user. Never throws. */
export async function loadSettings(
  io: Io,
  workspace: string,
  { options, ask, signal = new AbortController().signal }: LoadOptions = {},
): Promise<Settings> {
  const [user, found] = await Promise.all([readConfigFile(userConfigPath(io)), readProjectConfig(workspace)])
  const { config: project, file } = found
  const untrusted = leftOut(project, user, false)
  const isTrusted =
    file !== undefined &&
    (await isObeyed(
      file,
      {
        does: 'sets',
        lines: untrusted.map((name) => visible(`${name} = ${JSON.stringify(project.settings[name])}`)),
        how: howToTrust,
      },
      // What changes nothing is not worth a question.
      { store: trustStore(io), ask: untrusted.length > 0 ? ask : undefined, warn: () => {}, signal },
    ))
  const environment = fromEnvironment(io)
  const given = fromOptions(options)
  const layers: readonly (readonly [SettingSource, PartialSettings])[] = [
    ['option', given.settings],
    ['environment', environment.settings],
    ['project', fromProject(project, user, isTrusted)],
    ['user', user.settings],
  ]
  const values: Partial<Record<SettingName, unknown>> = {}
  const sources = {} as Record<SettingName, readonly SettingSource[]>
  for (const name of settingNames) {
    const { fallback, joins } = settingTable[name]
    const said = layers.filter(([, settings]) => settings[name] !== undefined)
    const counting = joins ? said : said.slice(0, 1)
    sources[name] = counting.length > 0 ? counting.map(([source]) => source) : ['default']
    values[name] = joins ? counting.flatMap(([, settings]) => settings[name] as readonly string[]) : (counting[0]?.[1][name] ?? fallback)
  }
  return {
    values: values as Settings['values'],
    sources,
    user,
    project,
    isTrusted,
    warnings: [...user.warnings, ...(isTrusted ? project.warnings : []), ...notCounted(project, user, isTrusted)],
    faults: [...given.faults, ...environment.faults, ...user.faults, ...(isTrusted ? project.faults : [])],
  }
}

/** @throws {UsageError} that names each fault. */
export function checkSettings({ faults }: Settings): void {
  if (faults.length > 0) throw new UsageError(`The settings cannot be used. ${faults.join(' ')} \`lena config\` shows them.`)
}

async function readProjectConfig(workspace: string): Promise<{ readonly config: ConfigFile; readonly file: ProjectFile | undefined }> {
  const path = projectConfigPath(workspace)
  try {
    const file = await readProjectFile(dirname(dirname(path)), join('.lena', 'config.json'))
    return { config: file ? configFileOf(file.path, file.text) : noFile(path), file }
  } catch (error) {
    return { config: faulty(path, (error as Error).message), file: undefined }
  }
}

type Given = { readonly settings: PartialSettings; readonly faults: readonly string[] }

function fromOptions({ model, mode, maxTurns, allow = [], deny = [] }: Partial<NonNullable<LoadOptions['options']>> = {}): Given {
  const rules = [...deny.map((rule) => `deny ${rule}`), ...allow.map((rule) => `allow ${rule}`)]
  const fault = faultOf('permissions.rules', rules)
  return {
    settings: {
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { 'permissions.mode': mode }),
      ...(maxTurns !== undefined && { 'limits.turns': maxTurns }),
      ...(rules.length > 0 && fault === undefined && { 'permissions.rules': rules }),
    },
    faults: fault === undefined ? [] : [`--allow, --deny: ${fault}`],
  }
}

function fromEnvironment({ env }: Io): Given {
  const settings: Record<string, unknown> = {}
  const faults: string[] = []
  for (const name of settingNames) {
    const { variable, schema } = settingTable[name]
    const said = variable === undefined ? undefined : env[variable]?.trim()
    if (variable === undefined || !said) continue
    const value = (schema as { readonly type?: string }).type === 'integer' && /^\d+$/.test(said) ? Number(said) : said
    const fault = faultOf(name, value)
    if (fault === undefined) settings[name] = value
    else faults.push(`${variable}: ${fault}`)
  }
  return { settings: settings, faults }
}

/** What of a project counts. No project lets everything run, trusted or not. */
function fromProject(project: ConfigFile, user: ConfigFile, isTrusted: boolean): PartialSettings {
  const counting: Record<string, unknown> = {}
  for (const name of settingNames) {
    const value = countedOf(name, project, user, isTrusted)
    if (value !== undefined) counting[name] = value
  }
  return counting
}

function countedOf<K extends SettingName>(
  name: K,
  project: ConfigFile,
  user: ConfigFile,
  isTrusted: boolean,
): SettingValues[K] | undefined {
  const value = project.settings[name] as SettingValues[K] | undefined
  const { isUsers, narrowed } = settingTable[name]
  if (value === undefined || isUsers) return undefined
  if (isTrusted) return name === 'permissions.mode' && value === 'bypass' ? undefined : value
  return narrowed?.(value, user.settings[name])
}

/** Settings of a project that do not count. */
const leftOut = (project: ConfigFile, user: ConfigFile, isTrusted: boolean): readonly SettingName[] =>
  settingNames.filter((name) => {
    const value = project.settings[name]
    return value !== undefined && JSON.stringify(countedOf(name, project, user, isTrusted)) !== JSON.stringify(value)
  })

function notCounted(project: ConfigFile, user: ConfigFile, isTrusted: boolean): readonly string[] {
  const left = leftOut(project, user, isTrusted)
  const users = left.filter((name) => settingTable[name].isUsers || (isTrusted && name === 'permissions.mode'))
  const untrusted = left.filter((name) => !users.includes(name))
  const be = (names: readonly string[]): string => `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
  return [
    ...(users.length > 0 ? [`${project.path}: ${be(users)} left out: a project does not decide that.`] : []),
    ...(untrusted.length > 0 ? [`${project.path}: ${be(untrusted)} left out: the file is not trusted. ${howToTrust}`] : []),
    ...(!isTrusted && project.faults.length > 0 ? project.faults : []),
  ]
}

const howToTrust = '`lena config trust` trusts it as it is now.'
