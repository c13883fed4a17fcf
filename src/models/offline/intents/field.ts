import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import { asObject, inShort, parseJson } from '../facts/json.ts'
import { packageDependencies } from '../facts/package-json.ts'
import { code, fenced, listed } from '../language/english.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import type { Files } from '../language/names.ts'
import { extensionOf } from '../language/names.ts'
import { quoteWord } from '../language/quotes.ts'
import type { Finding } from '../site.ts'
import { joined } from '../site.ts'
import type { JsonObject, JsonValue } from '../../../util/json.ts'
import type { Intent } from './intent.ts'

const keyNames =
  'version name description license author authors main module type engines keywords homepage repository bugs bin exports workspaces private scripts packageManager files types compilerOptions include exclude target strict'.split(
    ' ',
  )

const versionOf = new RegExp(
  `\\bversions?\\s+of\\s+(?:the\\s+)?(?!package\\.json)(${quoteWord}|@?[\\w./-]+)(?:\\s+(?:package|module|library|dependency))?\\s+(?:does|do|is|are|in|used by)\\b`,
  'i',
)
const quotedKey = new RegExp(
  `(?:\\bthe\\s+)?(?:(?:key|field|property|value of|value)\\s+)?(${quoteWord})(?=\\s+(?:(?:key|field|property|value|setting)\\s+)?(?:in|of|from)\\s)`,
  'i',
)
const plainKey = new RegExp(
  `(?:\\b(?:the|its|and)\\s+)*(?:\\b(${keyNames.join('|')})(?![\\w.-])|\\b(?:key|field|property|value of|value)\\s+(${quoteWord})|\\b(?:key|field|property|value of)\\s+([\\w.]+))(?:\\s+(?:key|field|property|number|of|in|from|is|are|value))*`,
  'i',
)

export const field: Intent = {
  name: 'field',
  examples: ['what is the version in package.json?'],
  group: 'Look at files',
  tools: ['read_file'],
  starts: 'what|which|who|say|tell|give|show|(?:the|its) (?:version|name|license|description|author|scripts|main)',
  recognise: (phrase, talk) => {
    if (
      !phrase.take(/^\W*(?:what|which|who|say|tell|give|show|print|get|read|find)(?:'s|’s)?(?:\s+me)?(?:\s+(?:is|are))?(?=\s|$)/i) &&
      !phrase.has(/^\W*(?:the|its)\b/i)
    )
      return undefined
    const ofPackage = phrase.take(versionOf)
    const quoted = phrase.take(quotedKey)
    // Before the files: "the license" is a key here.
    const paths = ofPackage ? [] : [...(quoted ? [phrase.plain(quoted[1]!).split('.')] : []), ...takeKeys()]
    const files =
      takeFiles(phrase, talk, { noPatterns: true }) ??
      (phrase.take(/\b(?:this|the|my|our)\s+(?:project|package|app)(?:'s|’s)?(?=\s|$)/i)
        ? ({ type: 'named', paths: ['package.json'] } satisfies Files)
        : undefined) ??
      talk.files
    if (!files || !isJson(files)) return undefined
    phrase.take(/\b(?:does|do|say|says|use|uses|depend on|needs?|has|have|declared?|required?)\b/i)
    if (!ofPackage && paths.length === 0) return undefined
    const dependency = ofPackage && phrase.plain(ofPackage[1]!)
    const wanted = dependency === undefined ? listed(paths.map((path) => path.join('.'))) : `version of ${dependency}`
    return {
      aim: `tell the ${wanted} in ${filesSaid(files)}`,
      isExact: true,
      files,
      usesPrevious: files.type === 'found',
      work: (site) => eachFile(site, files, { range: { whole: true }, make: (file) => fieldFinding(file, paths, dependency) }),
    }

    function takeKeys(): string[][] {
      const keys: string[][] = []
      for (let match = phrase.take(plainKey); match; match = phrase.take(plainKey))
        keys.push(keyPath(match[1], phrase.plain(match[2] ?? match[3] ?? '')))
      return keys
    }
  },
}

/** A known key as it is spelt in files, or the path that was quoted. */
function keyPath(known: string | undefined, said: string): string[] {
  const name = keyNames.find((one) => one.toLowerCase() === known?.toLowerCase())
  return name === undefined ? said.split('.') : [name]
}

const isJson = (files: Files): boolean =>
  (files.type === 'named' && files.paths.every((path) => /^json[c5]?$/.test(extensionOf(path)))) ||
  (files.type === 'known' && files.stem.toLowerCase() === 'tsconfig')

function fieldFinding(file: FileText, paths: readonly (readonly string[])[], dependency: string | undefined): Finding {
  const name = code(file.path)
  if (!file.complete) return { say: `${partNote(file)} So I cannot look into ${name} as JSON.`, failed: true }
  const parsed = parseJson(contentOf(file))
  const object = parsed.ok ? asObject(parsed.value) : undefined
  if (!object)
    return { say: `${name} is ${parsed.ok ? 'not a JSON object' : `not JSON that I can parse (${parsed.error})`}.`, failed: true }
  if (dependency !== undefined) return dependencyVersion(name, object, dependency)
  return joined(paths.map((path) => valueFinding(file.path, object, path)))
}

function dependencyVersion(name: string, manifest: JsonObject, dependency: string): Finding {
  for (const { group, versions } of packageDependencies(manifest)) {
    const version = Object.hasOwn(versions, dependency) ? versions[dependency] : undefined
    if (version !== undefined) return { say: `${name} asks for ${code(dependency)} ${code(version)} in its ${group}.`, value: version }
  }
  return { say: `${name} does not name ${code(dependency)} as a dependency.`, failed: true }
}

function valueFinding(path: string, object: JsonObject, keys: readonly string[]): Finding {
  const said = code(keys.join('.'))
  const value =
    valueAt(object, [keys.join('.')]) ??
    valueAt(object, keys) ??
    (keys.length === 1 ? valueAt(object, ['compilerOptions', ...keys]) : undefined)
  if (value === undefined) return { say: `${code(path)} has no ${said}.`, failed: true }
  if (typeof value === 'object' && value !== null) {
    const shown = JSON.stringify(value, null, 2)
    return {
      say: `The ${said} in ${code(path)}${Array.isArray(value) ? '' : `, ${inShort(value).replace(/ \(.*$/s, '')}`}:\n\n${fenced(shown, 'json')}`,
      value: shown,
    }
  }
  return { say: `The ${said} in ${code(path)} is ${inShort(value)}.`, value: String(value) }
}

function valueAt(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const key of keys) {
    const inside = asObject(value)
    value = inside && Object.hasOwn(inside, key) ? inside[key] : undefined
  }
  return value
}
