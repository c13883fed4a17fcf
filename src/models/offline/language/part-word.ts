import type { PartName } from '../facts/parts.ts'
import type { Phrase } from './phrase.ts'

const words: readonly (readonly [RegExp, PartName])[] = [
  [/\bfunctions?\b/i, 'function'],
  [/\bclass(?:es)?\b/i, 'class'],
  [/\b(?:types?|interfaces?|type definitions)\b/i, 'type'],
  [/\b(?:imports?|imported modules)\b/i, 'import'],
  [/\b(?:exports?|exported (?:names|things|symbols))\b/i, 'export'],
  [/\b(?:headings?|headlines?|headers?|chapters?)\b/i, 'heading'],
  [/\bsections?\b/i, 'section'],
  [/\btitle\b/i, 'title'],
  [/\b(?:todos?|fixmes?|todo comments)\b/i, 'todo'],
  [/\b(?:keys?|top-level keys|properties|fields|settings)\b/i, 'key'],
  [/\b(?:npm\s+)?scripts?\b/i, 'script'],
  [/\bdev(?:elopment)?[\s-]?dependenc(?:y|ies)\b/i, 'devDependency'],
  [/\bpeer[\s-]?dependenc(?:y|ies)\b/i, 'peerDependency'],
  [/\bdependenc(?:y|ies)\b/i, 'dependency'],
  [/\b(?:links?|urls?)\b/i, 'link'],
]

const forms = words.map(
  ([form, part]) => [new RegExp(`(?:\\b(?:all|the|its|any|of)\\s+)*${form.source}(?:\\s+(?:are|is|does|do)\\b)*`, 'i'), part] as const,
)

/** Takes the word for a part of a file: "functions", "headings". */
export function takePartWord(phrase: Phrase): PartName | undefined {
  return forms.find(([form]) => phrase.take(form))?.[1]
}
