import { globMatcher } from './glob-pattern.ts'

type Rule = { readonly matches: (path: string) => boolean; readonly isForFolders: boolean; readonly keeps: boolean }

/** What the ignore file of a folder says of a path below it; `undefined`: nothing. */
export type IgnoreRules = (path: string, isFolder: boolean) => 'ignored' | 'kept' | undefined

/** More lines than that are no list that somebody wrote. */
const maxRules = 10_000

/** Reads what stands in a `.gitignore`. A line that is no pattern is passed over, as git does. */
export function ignoreRules(text: string): IgnoreRules {
  const rules = bytesOf(text.replace(/^\ufeff/, ''))
    .split(/\r?\n/, maxRules)
    .flatMap(ruleOf)
  return (given, isFolder) => {
    const path = bytesOf(given)
    // The last one that speaks of it counts.
    for (let index = rules.length - 1; index >= 0; index--) {
      const rule = rules[index]!
      if ((isFolder || !rule.isForFolders) && rule.matches(path)) return rule.keeps ? 'kept' : 'ignored'
    }
    return undefined
  }
}

/** Each byte as one character: to git, and to ripgrep, a `?` is one byte. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

function ruleOf(line: string): readonly Rule[] {
  if (line.startsWith('#')) return []
  let pattern = line.endsWith('\\ ') ? line : line.trimEnd()
  const keeps = pattern.startsWith('!')
  if (keeps) pattern = pattern.slice(1)
  let isAnchored = pattern.startsWith('/')
  if (isAnchored) pattern = pattern.slice(1)
  const isForFolders = pattern.endsWith('/')
  if (isForFolders) pattern = pattern.slice(0, -1)
  if (pattern === '') return []
  // A slash within ties a pattern to the folder of the file, too.
  isAnchored ||= pattern.includes('/')
  try {
    return [{ matches: globMatcher(isAnchored ? pattern : `**/${pattern}`), isForFolders, keeps }]
  } catch {
    return []
  }
}
