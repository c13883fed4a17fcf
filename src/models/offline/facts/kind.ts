import { baseName, extensionOf } from '../language/names.ts'

export type Kind = 'package' | 'json' | 'markdown' | 'code' | 'text'

/** Languages by the endings of their files. */
export const languages: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
}

/** What kind of file it is, told by its name alone. */
export function kindOf(path: string): Kind {
  const extension = extensionOf(path)
  if (baseName(path) === 'package.json') return 'package'
  if (['json', 'jsonc', 'json5', 'webmanifest'].includes(extension)) return 'json'
  if (['md', 'mdx', 'markdown'].includes(extension)) return 'markdown'
  return extension in languages ? 'code' : 'text'
}
