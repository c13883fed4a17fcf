import { permissions } from '../../permissions/index.ts'
import { didYouMean } from '../near.ts'
import { readOwnFile } from './read-own-file.ts'
import type { SettingName, SettingValues } from './setting-table.ts'
import { expectedOf, isSettingName, settingNames, settingTable } from './setting-table.ts'

export type PartialSettings = { readonly [K in SettingName]?: SettingValues[K] }

/** What a file says. */
export type ConfigFile = {
  readonly path: string
  readonly exists: boolean
  readonly settings: PartialSettings
  /** What is wrong, each with the file, the key, what was expected and what came. Those settings are left out. */
  readonly faults: readonly string[]
  /** What is not known, and not used. */
  readonly warnings: readonly string[]
}

const maxBytes = 256 * 1024

/** Never throws: whoever reads it decides what a fault means. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const file = await readOwnFile(path, { maxBytes })
  if (!file) return noFile(path)
  if ('problem' in file) return faulty(path, `cannot be read: ${file.problem}.`)
  return file.isCut ? faulty(path, `is larger than ${maxBytes / 1024} KB.`) : configFileOf(path, file.text)
}

export const noFile = (path: string): ConfigFile => ({ path, exists: false, settings: {}, faults: [], warnings: [] })

export const faulty = (path: string, said: string): ConfigFile => ({ ...noFile(path), exists: true, faults: [`${path}: ${said}`] })

/** What a text of settings says. */
export function configFileOf(path: string, text: string): ConfigFile {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return faulty(path, `is no JSON: ${(error as Error).message}. Expected an object such as { "model": "offline" }.`)
  }
  if (!isObject(value)) return faulty(path, `must hold an object such as { "model": "offline" }, got ${shown(value)}.`)
  const { settings, faults, warnings } = settingsIn(value)
  const named = (texts: readonly string[]): readonly string[] => texts.map((text) => `${path}: ${text}`)
  return { path, exists: true, settings, faults: named(faults), warnings: named(warnings) }
}

type Found = { readonly settings: PartialSettings; readonly faults: readonly string[]; readonly warnings: readonly string[] }

function settingsIn(value: Record<string, unknown>): Found {
  const settings: Record<string, unknown> = {}
  const faults: string[] = []
  const warnings: string[] = []
  const visit = (object: Record<string, unknown>, prefix: string): void => {
    for (const [key, item] of Object.entries(object)) {
      const name = `${prefix}${key}`
      if (name === '$schema') continue
      if (isSettingName(name)) {
        const fault = faultOf(name, item)
        if (fault === undefined) settings[name] = item
        else faults.push(fault)
      } else if (settingNames.some((known) => known.startsWith(`${name}.`))) {
        if (isObject(item)) visit(item, `${name}.`)
        else faults.push(`${name} must be an object, got ${shown(item)}.`)
      } else warnings.push(`there is no setting ${name}, it is not used.${didYouMean(name, settingNames)}`)
    }
  }
  visit(value, '')
  return { settings: settings, faults, warnings }
}

/** What is wrong with the value of a setting: the setting, what was expected and what came. */
export function faultOf(name: SettingName, value: unknown): string | undefined {
  const expected = expectedOf(settingTable[name].schema, value)
  if (expected !== undefined) {
    const choices = (settingTable[name].schema as { readonly enum?: readonly string[] }).enum
    return `${name} must be ${expected}, got ${shown(value)}.${choices && typeof value === 'string' ? didYouMean(value, choices) : ''}`
  }
  if (name !== 'permissions.rules') return undefined
  try {
    permissions({ rules: value as readonly string[] })
    return undefined
  } catch (error) {
    return `${name}: ${(error as Error).message}`
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
