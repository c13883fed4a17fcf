import type { NamePattern } from './names.ts'
import { escaped, nameIn } from './names.ts'
import type { Phrase } from './phrase.ts'
import { quoteWord } from './quotes.ts'

const kinds: Readonly<Record<string, readonly string[]>> = {
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  markdown: ['md', 'mdx', 'markdown'],
  python: ['py'],
  text: ['txt'],
  rust: ['rs'],
  golang: ['go'],
  ruby: ['rb'],
  yaml: ['yml', 'yaml'],
  yml: ['yml', 'yaml'],
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg'],
  ...Object.fromEntries(
    'json ts tsx js jsx mjs cjs md txt py css scss html xml csv toml ini sql sh go rs rb java kt c h cpp cs php swift log lock env svg png jpg pdf vue svelte'
      .split(' ')
      .map((extension) => [extension, [extension]]),
  ),
}
const kindWords = Object.keys(kinds)
  .sort((a, b) => b.length - a.length)
  .join('|')
const before = `(?:\\b(?:(?:a|the)\\s+)?(?:list|names)\\s+of\\s+)?(?:\\b(?:all|every|each|any|which|what|the|some)\\s+)*(?:\\b(?:of\\s+)?the\\s+)?`
const namedBy = `(${quoteWord}|[^\\s,;:?!]+)`
const filesWord = `(?:files?|ones)`
const who = `(?:(?:that|which)\\s+)?(?:(?:whose|with|have|having|has)\\s+(?:a\\s+|the\\s+)?(?:file\\s*)?names?\\s+)?(?:that\\s+|which\\s+)?`

const patterns: readonly { readonly form: RegExp; readonly glob: (name: string) => string; readonly said: (name: string) => string }[] = [
  {
    form: new RegExp(
      `${before}${filesWord}\\s+${who}(?:(?:ending|ends?)\\s+(?:in|with|on)|with\\s+(?:the\\s+)?(?:extension|ending|suffix))\\s+${namedBy}`,
      'i',
    ),
    glob: (name) => `*${name}`,
    said: (name) => `files ending in ${name}`,
  },
  {
    form: new RegExp(
      `${before}${filesWord}\\s+${who}(?:(?:starting|starts?|beginning|begins?)\\s+with|with\\s+(?:the\\s+)?prefix)\\s+${namedBy}`,
      'i',
    ),
    glob: (name) => `${name}*`,
    said: (name) => `files beginning with ${name}`,
  },
  {
    form: new RegExp(
      `${before}${filesWord}\\s+(?:with|having|that\\s+have|which\\s+have|containing)\\s+${namedBy}\\s+in\\s+(?:the|their|its)?\\s*(?:file\\s*)?names?`,
      'i',
    ),
    glob: (name) => `*${name}*`,
    said: (name) => `files with ${name} in their names`,
  },
  {
    form: new RegExp(`${before}${filesWord}\\s+whose\\s+(?:file\\s*)?names?\\s+(?:contains?|includes?|has|have)\\s+${namedBy}`, 'i'),
    glob: (name) => `*${name}*`,
    said: (name) => `files with ${name} in their names`,
  },
  {
    form: new RegExp(`${before}(?:a\\s+)?${filesWord}\\s+(?:(?:that|which)\\s+(?:is|are)\\s+)?(?:called|named)\\s+${namedBy}`, 'i'),
    glob: (name) => name,
    said: (name) => `files named ${name}`,
  },
]

const saysFiles = /\b(?:files?|ones|documents?|sources)\b|\*|\uE000/i
const testFiles = new RegExp(`${before}\\b(?:unit\\s+)?tests?\\s+files?\\b`, 'i')
const aKind = `(?:\\.[a-z0-9]{1,10}|(?:${kindWords})\\b)`
const filesOfKind = new RegExp(
  `${before}((?<![\\w./-])${aKind}(?:(?:\\s*,\\s*|\\s+)(?:(?:and|or)\\s+)?${aKind})*)\\s+(?:source\\s+|code\\s+)?(?:files?|documents?|sources)\\b`,
  'i',
)

/** Takes files that are told by a pattern: "all ts files", "*.md", "files ending in .test.ts". */
export function takePattern(phrase: Phrase): { readonly pattern: NamePattern; readonly folder: string | undefined } | undefined {
  if (!phrase.has(saysFiles)) return undefined
  for (const { form, glob, said } of patterns) {
    const match = phrase.take(form)
    if (!match) continue
    const name = phrase.quote(match[1]!)?.text ?? nameIn(match[1]!)
    return { pattern: { globs: [glob(name)], said: said(name) }, folder: undefined }
  }
  if (phrase.take(testFiles))
    return { pattern: { globs: ['*.test.*', '*.spec.*', '*_test.*', 'test_*'], said: 'test files' }, folder: undefined }
  const kind = phrase.take(filesOfKind)
  if (kind) {
    const words = kind[1]!
      .toLowerCase()
      .split(/\s*,\s*|\s+/)
      .filter((word) => word !== 'and' && word !== 'or' && word !== '')
    const extensions = [...new Set(words.flatMap((word) => (word.startsWith('.') ? [word.slice(1)] : (kinds[word] ?? []))))]
    return {
      pattern: {
        globs: extensions.map((extension) => `*.${extension}`),
        said: `${extensions.map((extension) => `.${extension}`).join('/')} files`,
      },
      folder: undefined,
    }
  }
  return takeGlob(phrase)
}

function takeGlob(phrase: Phrase): { readonly pattern: NamePattern; readonly folder: string | undefined } | undefined {
  const bare = /(?<=^|\s)([^\s,;]*\*[^\s,;]*)(?=[\s,;]|$)(?:\s+files?\b)?/.exec(phrase.text)
  const quoted = phrase.quotes.findIndex(
    (quote) => (quote.kind === 'code' || quote.kind === 'quote') && /^[^\s]*\*[^\s]*$/.test(quote.text),
  )
  const glob = bare ? nameIn(bare[1]!) : phrase.quotes[quoted]?.text
  if (glob === undefined || /^\*+$/.test(glob)) return undefined
  if (bare) phrase.take(new RegExp(escaped(bare[0])))
  else if (!phrase.take(new RegExp(`\\uE000${quoted}\\uE001(?:\\s+files?\\b)?`))) return undefined
  const parts = glob.split('/')
  const fixed = parts.slice(0, -1).filter((_, index, all) => !all.slice(0, index + 1).some((earlier) => earlier.includes('*')))
  return {
    pattern: { globs: [parts.at(-1)!], said: `files matching ${glob}` },
    folder: fixed.length === 0 ? undefined : fixed.join('/') || '/',
  }
}
