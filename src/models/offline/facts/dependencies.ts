import { code, listed, plural } from '../language/english.ts'
import { baseName } from '../language/names.ts'
import { asObject, parseJson } from './json.ts'
import { packageDependencies, titleOf } from './package-json.ts'
import { kindOf, languages } from './kind.ts'
import { codeFacts } from './source-code.ts'

export type DependencyReport = { readonly ok: boolean; readonly say: string; readonly names: readonly string[] }

/** What a file says that it, or its project, depends on. */
export function dependenciesIn(path: string, text: string): DependencyReport {
  const name = baseName(path)
  if (kindOf(path) === 'package') return ofPackage(path, text)
  if (/^requirements.*\.txt$/i.test(name)) return ofList(path, requirements(text))
  if (name === 'Cargo.toml') return ofList(path, tomlTable(text, /^\[(?:dependencies|dev-dependencies|build-dependencies)\]$/))
  if (name === 'go.mod') return ofList(path, goModules(text))
  if (kindOf(path) === 'code') return ofCode(path, text)
  return {
    ok: false,
    say: `I know dependencies only from \`package.json\`, \`requirements.txt\`, \`Cargo.toml\`, \`go.mod\` and the imports of source code, so I cannot tell what ${code(path)} depends on.`,
    names: [],
  }
}

function ofPackage(path: string, text: string): DependencyReport {
  const parsed = parseJson(text)
  if (!parsed.ok)
    return { ok: false, say: `${code(path)} cannot be parsed as JSON (${parsed.error}), so I cannot tell what it depends on.`, names: [] }
  const manifest = asObject(parsed.value)
  if (!manifest) return { ok: false, say: `${code(path)} is not a JSON object, so it names no dependencies.`, names: [] }
  const groups = packageDependencies(manifest)
  const title = titleOf(manifest)
  const subject = `${code(path)}${title ? ` (${title})` : ''}`
  const names = [...new Set(groups.flatMap((group) => group.names))]
  if (names.length === 0)
    return { ok: true, say: `${subject} depends on nothing: it has no dependencies, no devDependencies and no peerDependencies.`, names }
  const lines = groups.map(({ group, names: own, versions }) =>
    own.length === 0
      ? `- no ${group}`
      : `- ${own.length} ${own.length === 1 ? group.replace(/ies$/, 'y') : group}: ${listed(own.map((one) => `${code(one)} ${versions[one] ?? ''}`.trim()))}`,
  )
  return { ok: true, say: `${subject} depends on ${plural(names.length, 'package')}:\n\n${lines.join('\n')}`, names }
}

function ofList(path: string, names: readonly string[]): DependencyReport {
  if (names.length === 0) return { ok: true, say: `${code(path)} names no dependencies.`, names }
  return { ok: true, say: `${code(path)} names ${plural(names.length, 'dependency', 'dependencies')}: ${listed(names.map(code))}.`, names }
}

function ofCode(path: string, text: string): DependencyReport {
  const { imports } = codeFacts(path, text)
  const what = languages[path.split('.').at(-1)!.toLowerCase()] ?? 'code'
  if (imports.length === 0) return { ok: true, say: `${code(path)} imports nothing.`, names: [] }
  return {
    ok: true,
    say: `${code(path)} (${what}) imports ${plural(imports.length, 'module')}: ${listed(imports.map(code))}.`,
    names: imports,
  }
}

const requirements = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('-'))

function tomlTable(text: string, header: RegExp): readonly string[] {
  const names: string[] = []
  let inside = false
  for (const row of text.split('\n')) {
    const line = row.trim()
    if (line.startsWith('[')) inside = header.test(line)
    else if (inside) names.push(...(/^("?)([\w-]+)\1\s*=/.exec(line)?.slice(2, 3) ?? []))
  }
  return names
}

function goModules(text: string): readonly string[] {
  const block = /^require\s*\(([\s\S]*?)\)/gm
  const single = /^require\s+([^\s(]\S*\s+\S+)/gm
  const inside = [...text.matchAll(block)].flatMap((match) => match[1]!.split('\n'))
  return [...inside, ...[...text.matchAll(single)].map((match) => match[1]!)]
    .map((line) => line.replace(/\/\/.*$/, '').trim())
    .filter((line) => line !== '')
}
