import { dirname, join } from 'node:path'
import type { CommandRun } from '../command.ts'
import { configFolder, realFolder } from '../folders.ts'
import { exitCodes } from '../exit-code.ts'
import { didYouMean } from '../near.ts'
import { safeJson, showControls } from '../sanitise.ts'
import { table } from '../table.ts'
import { readProjectFile } from '../trust/project-file.ts'
import { trustStore } from '../trust/trust-store.ts'
import { UsageError } from '../usage-error.ts'
import { faultOf } from './config-file.ts'
import type { Settings } from './load-settings.ts'
import { loadSettings, projectConfigPath, userConfigPath } from './load-settings.ts'
import { foldersDownTo } from './repository.ts'
import { configSchema } from './schema.ts'
import type { SettingName } from './setting-table.ts'
import { isSettingName, settingNames, settingTable } from './setting-table.ts'
import { writeSetting } from './write-setting.ts'

/** `lena config [list | get KEY | set KEY [VALUE] | path | schema | trust]` */
export async function configCommand(run: CommandRun): Promise<number> {
  const { io, out, words, options, workspace } = run
  const [verb = 'list', ...rest] = words
  const most = { list: 0, get: 1, set: 2, path: 0, schema: 0, trust: 0 }[verb as 'list'] ?? 0
  if (rest.length > most)
    throw new UsageError(
      `\`lena config ${verb}\` takes ${['no more words', 'one key', 'a key and one value'][most]}, got ${JSON.stringify(rest.join(' '))}.${most === 2 ? ' Put the value in quotes.' : ''}`,
    )
  const path = options.project ? projectConfigPath(workspace) : userConfigPath(io)
  if (verb === 'path') out.line(options.output === 'json' ? safeJson({ path, folder: configFolder(io) }) : path)
  else if (verb === 'schema') out.line(JSON.stringify(configSchema(), undefined, 2))
  else if (verb === 'trust') await trust(run)
  else if (verb === 'get') get(run, nameOf(rest[0], 'get'), await loadSettings(io, workspace))
  else if (verb === 'set') return await set(run, path, nameOf(rest[0], 'set'), rest[1])
  else list(run, await loadSettings(io, workspace))
  return exitCodes.done
}

function nameOf(key: string | undefined, verb: string): SettingName {
  if (key !== undefined && isSettingName(key)) return key
  const known = `There are: ${settingNames.join(', ')}.`
  if (key === undefined) throw new UsageError(`\`lena config ${verb}\` needs the name of a setting. ${known}`)
  throw new UsageError(`There is no setting ${JSON.stringify(key)}.${didYouMean(key, settingNames)} ${known}`)
}

function get({ out, options }: CommandRun, name: SettingName, { values, sources }: Settings): void {
  const value = values[name]
  if (options.output === 'json') return out.line(safeJson({ name, value: value ?? null, from: sources[name] }))
  out.line(typeof value === 'string' ? showControls(value) : safeJson(value ?? null))
}

async function set({ out, options }: CommandRun, path: string, name: SettingName, given: string | undefined): Promise<number> {
  const value = given === undefined ? undefined : valueOf(given)
  const fault = value === undefined ? undefined : faultOf(name, value)
  if (fault !== undefined) throw new UsageError(fault)
  if (options.project && settingTable[name].isUsers)
    throw new UsageError(`${name} is a setting of the user; a project does not decide that. Leave --project out.`)
  await writeSetting(path, name, value)
  if (options.output === 'json') out.line(safeJson({ name, value: value ?? null, path }))
  else
    out.line(showControls(value === undefined ? `${name} is no longer set in ${path}.` : `${name} = ${JSON.stringify(value)} in ${path}.`))
  return exitCodes.done
}

/** Trusts the files of the project as they are now: its settings, and its AGENTS.md files. */
async function trust({ io, out, options, workspace }: CommandRun): Promise<void> {
  const store = trustStore(io)
  const places = [
    { folder: dirname(dirname(projectConfigPath(workspace))), file: join('.lena', 'config.json') },
    ...foldersDownTo(realFolder(workspace)).map((folder) => ({ folder, file: 'AGENTS.md' })),
  ]
  const trusted: string[] = []
  for (const { folder, file } of places) {
    const found = await readProjectFile(folder, file)
    if (!found) continue
    await store.trust(found)
    trusted.push(found.path)
  }
  if (options.output === 'json') out.line(safeJson({ trusted }))
  else if (trusted.length === 0) out.line('There is nothing to trust here: no .lena/config.json, no AGENTS.md.')
  else for (const path of trusted) out.line(showControls(`${path} is trusted until it changes.`))
}

/** JSON where it is that, for lists and numbers; else the text as it stands. */
function valueOf(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

function list({ out, options }: CommandRun, { values, sources, user, project, isTrusted, warnings, faults }: Settings): void {
  if (options.output === 'json') {
    const settings = Object.fromEntries(settingNames.map((name) => [name, { value: values[name] ?? null, from: sources[name] }]))
    const files = [user, project].map(({ path, exists }) => ({ path, exists }))
    return out.line(safeJson({ settings, files, isTrusted, warnings, faults }))
  }
  const rows = settingNames.map((name) => [
    name,
    values[name] === undefined ? '-' : showControls(JSON.stringify(values[name])),
    sources[name].join(', '),
  ])
  out.write(table([['SETTING', 'VALUE', 'FROM'], ...rows]))
  const state = ({ exists }: { readonly exists: boolean }): string => (exists ? '' : ' (not there)')
  out.write(
    showControls(
      `\nUser:    ${user.path}${state(user)}\nProject: ${project.path}${state(project)}${project.exists && !isTrusted ? ' (not trusted)' : ''}\n`,
      '\n',
    ),
  )
  for (const text of [...faults, ...warnings]) out.line(showControls(`! ${text}`))
}
