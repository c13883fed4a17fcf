import { dependenciesIn } from './dependencies.ts'
import { asObject, parseJson } from './json.ts'
import { kindOf } from './kind.ts'
import { headingsOf } from './markdown.ts'
import { codeFacts } from './source-code.ts'

/** Parts that a file can have, by their names in the singular. */
export const partNames = [
  'function',
  'class',
  'type',
  'interface',
  'import',
  'export',
  'heading',
  'section',
  'title',
  'todo',
  'key',
  'script',
  'dependency',
  'devDependency',
  'peerDependency',
  'link',
] as const
export type PartName = (typeof partNames)[number]

/** The word for several of a part. */
export const pluralOf = (part: PartName): string =>
  part === 'class' ? 'classes' : part.endsWith('ependency') ? part.replace(/y$/, 'ies') : part === 'todo' ? 'TODOs' : `${part}s`

/** The parts of one kind that a text has, or `undefined` where files of its kind have none that could be found. */
export function partsIn(part: PartName, path: string, text: string): readonly string[] | undefined {
  const kind = kindOf(path)
  const isJson = kind === 'json' || kind === 'package'
  switch (part) {
    case 'dependency': {
      const report = dependenciesIn(path, text)
      return report.ok ? report.names : undefined
    }
    case 'devDependency':
    case 'peerDependency': {
      const parsed = kind === 'package' ? parseJson(text) : undefined
      const manifest = parsed?.ok ? asObject(parsed.value) : undefined
      return manifest && Object.keys(asObject(manifest[pluralOf(part)]) ?? {})
    }
    case 'todo':
      return text.split('\n').flatMap((line, index) => (/\b(?:TODO|FIXME)\b/.test(line) ? [`line ${index + 1}: ${line.trim()}`] : []))
    case 'heading':
    case 'section':
      return kind === 'markdown' ? headingsOf(text).map((heading) => heading.text) : undefined
    case 'title':
      return kind === 'markdown'
        ? headingsOf(text)
            .slice(0, 1)
            .map((heading) => heading.text)
        : undefined
    case 'link':
      return kind === 'markdown' || kind === 'text' ? [...new Set(text.match(/https?:\/\/[^\s)>\]"'`]+/g) ?? [])] : undefined
    case 'key':
    case 'script': {
      const parsed = isJson ? parseJson(text) : undefined
      const object = parsed?.ok ? asObject(part === 'script' ? asObject(parsed.value)?.['scripts'] : parsed.value) : undefined
      return object ? Object.keys(object) : parsed?.ok && part === 'script' ? [] : undefined
    }
    default: {
      if (kind !== 'code') return undefined
      const facts = codeFacts(path, text)
      return {
        function: facts.functions,
        class: facts.classes,
        type: facts.types,
        interface: facts.types,
        import: facts.imports,
        export: facts.exports,
      }[part]
    }
  }
}
