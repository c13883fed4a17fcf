import { code, listedUpTo, plural, shortened } from '../language/english.ts'
import { extensionOf } from '../language/names.ts'
import { languages } from './kind.ts'
import { countsOf } from './plain-text.ts'

/** Names that were found by their patterns in the text: near to the truth, but not a compiler's. */
export type CodeFacts = {
  readonly imports: readonly string[]
  readonly exports: readonly string[]
  readonly functions: readonly string[]
  readonly classes: readonly string[]
  readonly types: readonly string[]
}

type Patterns = { readonly [part in keyof CodeFacts]: readonly RegExp[] }

/* Each pattern gives one name, or with `{ a, b }` several. All begin at the beginning of a line. */
const script: Patterns = {
  imports: [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"\n]+)['"]/gm,
    /^\s*import\s*['"]([^'"\n]+)['"]/gm,
    /\brequire\(\s*['"]([^'"\n]+)['"]\s*\)/g,
    /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g,
  ],
  exports: [
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|type|interface|enum|namespace)\s+([\w$]+)/gm,
    /^export\s+(?:type\s+)?\{([^}]*)\}/gm,
    /^export\s+(default)\b/gm,
    /^export\s+(\*)\s+from/gm,
    /^(?:module\.)?exports\.([\w$]+)\s*=/gm,
  ],
  functions: [
    /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+([\w$]+)/gm,
    /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)(?:\s*:[^=\n]+)?\s*=\s*(?:async\s*)?(?:<[^>\n]*>\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=\n]+)?=>/gm,
  ],
  classes: [/^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/gm],
  types: [/^\s*(?:export\s+)?(?:declare\s+)?(?:type|interface|enum)\s+([\w$]+)/gm],
}
const none: readonly RegExp[] = []
const python: Patterns = {
  imports: [/^\s*import\s+([\w.]+)/gm, /^\s*from\s+([\w.]+)\s+import\b/gm],
  exports: none,
  functions: [/^\s*(?:async\s+)?def\s+(\w+)/gm],
  classes: [/^\s*class\s+(\w+)/gm],
  types: none,
}
const go: Patterns = {
  imports: [/^import\s+(?:\w+\s+)?"([^"]+)"/gm, /^\t(?:[\w.]+\s+)?"([^"\n]+)"$/gm],
  exports: none,
  functions: [/^func\s+(?:\([^)]*\)\s*)?(\w+)/gm],
  classes: none,
  types: [/^type\s+(\w+)/gm],
}
const rust: Patterns = {
  imports: [/^\s*(?:pub\s+)?use\s+([\w:]+)/gm],
  exports: none,
  functions: [/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/gm],
  classes: none,
  types: [/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|type)\s+(\w+)/gm],
}
const other: Patterns = {
  imports: [/^\s*(?:import|using|#include|require|use)\s+["<']?([\w./\\:]+)/gm],
  exports: none,
  functions: [/^\s*(?:func|fun|def|function)\s+(\w+)/gm],
  classes: [/^\s*(?:(?:public|private|protected|final|abstract|static|open|data)\s+)*class\s+(\w+)/gm],
  types: [/^\s*(?:(?:public|private|protected)\s+)*(?:interface|enum|struct)\s+(\w+)/gm],
}

const patternsOf = (path: string): Patterns => {
  const language = languages[extensionOf(path)]
  if (language === 'TypeScript' || language === 'JavaScript') return script
  return language === 'Python' ? python : language === 'Go' ? go : language === 'Rust' ? rust : other
}

export function codeFacts(path: string, text: string): CodeFacts {
  const patterns = patternsOf(path)
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  const find = (part: keyof CodeFacts): readonly string[] => [
    ...new Set(
      patterns[part]
        .flatMap((pattern) => [...bare.matchAll(pattern)].map((match) => ({ at: match.index, name: match[1]! })))
        .sort((a, b) => a.at - b.at)
        .flatMap(({ name }) => namesIn(name)),
    ),
  ]
  return {
    imports: find('imports'),
    exports: find('exports'),
    functions: find('functions'),
    classes: find('classes'),
    types: find('types'),
  }
}

/** One name, or those of `a, b as c`: the names that others see. */
function namesIn(found: string): readonly string[] {
  if (!found.includes(',') && !/\s/.test(found.trim())) return [found.trim()]
  return found
    .split(',')
    .map((part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .replace(/^.*\sas\s+/, ''),
    )
    .filter((name) => name !== '')
}

const parts = [
  ['imports', 'module'],
  ['exports', 'name'],
  ['functions', 'function'],
  ['classes', 'class'],
  ['types', 'type'],
] as const

export function describeCode(path: string, text: string): string {
  const facts = codeFacts(path, text)
  const { lines } = countsOf(text)
  const comment = openingComment(text)
  const said = parts
    .filter(([part]) => facts[part].length > 0)
    .map(([part, unit]) => {
      const verb = part === 'imports' ? 'imports' : part === 'exports' ? 'exports' : 'defines'
      return `- ${verb} ${plural(facts[part].length, unit, unit === 'class' ? 'classes' : undefined)}: ${listedUpTo(facts[part].map(code), 12)}`
    })
  const head = `${code(path)} is ${languages[extensionOf(path)] ?? 'source code'} with ${plural(lines, 'line')}.`
  const first = comment === undefined ? '' : ` Its first comment says: “${shortened(comment, 300)}”`
  if (said.length === 0) return `${head}${first} I found no imports, exports, functions or classes in it.`
  return `${head}${first} By its patterns, without understanding the code, it\n\n${said.join('\n')}`
}

function openingComment(text: string): string | undefined {
  const block = /^\s*(?:import[^\n]*\n\s*)*\/\*\*?([\s\S]*?)\*\//.exec(text)?.[1]?.replaceAll(/^\s*\* ?/gm, '')
  const lines = /^(?:#![^\n]*\n)?\s*((?:(?:\/\/|#)[^\n]*\n?)+)/.exec(text)?.[1]?.replaceAll(/^\s*(?:\/\/+|#+) ?/gm, '')
  const docstring = /^\s*(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(text)?.[1]
  return [block, lines, docstring].map((comment) => comment?.trim()).find((comment) => comment !== undefined && comment !== '')
}
