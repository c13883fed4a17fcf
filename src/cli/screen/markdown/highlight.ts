import type { Row, Span } from '../span.ts'
import { looks } from '../span.ts'

type Grammar = { readonly words: RegExp; readonly look: (word: string) => string | undefined }

const keywords = new Set(
  'abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface keyof let new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield'.split(
    ' ',
  ),
)
const shellWords = new Set('case do done elif else esac export fi for function if in local return set then until while'.split(' '))

const isComment = (word: string): boolean => /^(?:\/\/|\/\*|#)/.test(word)
const isText = (word: string): boolean => /^["'`]/.test(word)

const script: Grammar = {
  words: /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\b\d[\w.]*\b|[A-Za-z_$][\w$]*/g,
  look: (word) => {
    if (isComment(word)) return looks.dim
    if (isText(word)) return looks.green
    if (/^\d/.test(word)) return looks.yellow
    return keywords.has(word) ? looks.magenta : undefined
  },
}
const json: Grammar = {
  words: /"(?:[^"\\]|\\.)*"?\s*:?|\/\/.*|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g,
  look: (word) => {
    if (isComment(word)) return looks.dim
    if (word.startsWith('"')) return word.endsWith(':') ? looks.cyan : looks.green
    return looks.yellow
  },
}
const shell: Grammar = {
  words: /(?<![^\s;|&(])#.*|"(?:[^"\\]|\\.)*"?|'[^']*'?|\$\{[^}]*\}?|\$\w+|(?<!\S)--?[\w-]+|[\w./-]+/g,
  look: (word) => {
    if (isComment(word)) return looks.dim
    if (isText(word)) return looks.green
    if (word.startsWith('$')) return looks.yellow
    if (word.startsWith('-')) return looks.cyan
    return shellWords.has(word) ? looks.magenta : undefined
  },
}

const grammars: Readonly<Record<string, Grammar>> = {
  ...Object.fromEntries(['ts', 'tsx', 'js', 'jsx', 'mjs', 'cjs', 'mts', 'cts', 'typescript', 'javascript'].map((name) => [name, script])),
  ...Object.fromEntries(['json', 'jsonc', 'json5', 'jsonl'].map((name) => [name, json])),
  ...Object.fromEntries(['sh', 'bash', 'zsh', 'shell', 'console'].map((name) => [name, shell])),
}

/** Lines longer than this are data, and are shown as they are. */
const longestLine = 2000

/** One line of code in colour: a difference, JSON, TypeScript and JavaScript, shell. Every other language is plain. */
export function highlight(line: string, language: string): Row {
  if (line.length > longestLine) return [{ text: line }]
  if (language === 'diff' || language === 'patch') return [diffLine(line)]
  const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined
  if (!grammar) return [{ text: line }]
  const spans: Span[] = []
  let at = 0
  for (const found of line.matchAll(grammar.words)) {
    const look = grammar.look(found[0])
    if (look === undefined) continue
    spans.push({ text: line.slice(at, found.index) }, { text: found[0], look })
    at = found.index + found[0].length
  }
  return [...spans, { text: line.slice(at) }]
}

/** A line of a difference as `diff -u` writes it. */
export function diffLine(line: string): Span {
  if (/^(?:\+\+\+|---)(?: |$)/.test(line)) return { text: line, look: looks.bold }
  const look = { '+': looks.green, '-': looks.red, '@': looks.cyan, '\\': looks.dim }[line[0] ?? '']
  return look === undefined ? { text: line } : { text: line, look }
}
