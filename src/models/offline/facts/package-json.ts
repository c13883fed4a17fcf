import type { JsonObject } from '../../../util/json.ts'
import { code, listedUpTo, plural } from '../language/english.ts'
import { asObject, inShort, parseJson } from './json.ts'

/** The kinds of dependencies that a package.json can have. The first three are always told, the last only where there are some. */
const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

export type Dependencies = {
  readonly group: string
  readonly names: readonly string[]
  readonly versions: Readonly<Record<string, string>>
}

/** What a package.json depends on, group by group. */
export function packageDependencies(manifest: JsonObject): readonly Dependencies[] {
  return groups
    .map((group) => {
      const entries = Object.entries(asObject(manifest[group]) ?? {}).map(([name, version]) => [name, String(version)] as const)
      return { group, names: entries.map(([name]) => name), versions: Object.fromEntries(entries) }
    })
    .filter(({ group, names }) => group !== 'optionalDependencies' || names.length > 0)
}

/** `lena-agent 0.1.0`, as far as it is known. */
export const titleOf = (manifest: JsonObject): string =>
  [manifest['name'], manifest['version']].filter((part) => typeof part === 'string' && part !== '').join(' ')

export function describePackage(path: string, text: string): string {
  const parsed = parseJson(text)
  if (!parsed.ok) return `${code(path)} should be JSON, but it cannot be parsed: ${parsed.error}`
  const manifest = asObject(parsed.value)
  if (!manifest) return `${code(path)} is JSON, but not an object, so it describes no package.`
  const title = titleOf(manifest)
  const facts: string[] = []
  if (typeof manifest['description'] === 'string' && manifest['description'] !== '') facts.push(`description: ${manifest['description']}`)
  for (const key of ['license', 'type', 'main', 'bin', 'engines', 'workspaces'])
    if (manifest[key] !== undefined) facts.push(`${key}: ${valueInLine(manifest, key)}`)
  const scripts = Object.keys(asObject(manifest['scripts']) ?? {})
  facts.push(scripts.length > 0 ? `scripts (${scripts.length}): ${listedUpTo(scripts.map(code), 12)}` : 'no scripts')
  const some = packageDependencies(manifest).filter(({ names }) => names.length > 0)
  for (const { group, names } of some) facts.push(`${group} (${names.length}): ${listedUpTo(names.map(code), 12)}`)
  if (some.length === 0) facts.push('no dependencies')
  const keys = plural(Object.keys(manifest).length, 'key')
  return `${code(path)} describes ${title ? `the package ${code(title)}` : 'a package without a name'} (${keys}):\n\n${facts.map((fact) => `- ${fact}`).join('\n')}`
}

function valueInLine(manifest: JsonObject, key: string): string {
  const object = asObject(manifest[key])
  if (!object) return inShort(manifest[key])
  return listedUpTo(
    Object.entries(object).map(([name, value]) => `${name} ${inShort(value)}`),
    6,
  )
}
