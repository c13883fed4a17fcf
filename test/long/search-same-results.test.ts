import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { expect, test } from 'vitest'
import { glob, grep } from '../../src/toolkit/index.ts'
import { fc } from '../support/fast-check.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

// Few names, so that rules and files meet; what sorts unlike in bytes and in UTF-16 among them.
const name = fc.constantFrom('a', 'b', 'ab', 'a.ts', 'b.ts', '.c', 'src', 'out', 'A', 'ä', '\ue000', '🙂', 'a b', '[a]', '#a', '!a')
const piece = fc.constantFrom('a', 'b', 'src', 'out', '*', '**', '*.ts', '?', '.c', '[ab]', '[!a]', 'a*', '\\[a\\]', '*b*', 'ä', '{a,src}')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('/'))
const rule = fc
  .tuple(fc.constantFrom('', '', '!', '/', '!/', '\\'), pattern, fc.constantFrom('', '', '/', ' ', '/**', '\\ '))
  .map((parts) => parts.join(''))
// Not a lone `!`: ripgrep takes it for all files, git for none.
const ignoreFile = fc
  .array(
    fc.oneof(
      rule.filter((line) => line.trim() !== '!'),
      fc.constantFrom('', '# a', '[', 'a{'),
    ),
    { maxLength: 4 },
  )
  .map((rules) => rules.join('\n'))
const tree = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 14 }),
  ignoreFiles: fc.array(
    fc.tuple(
      fc.constantFrom('', '', 'src/', 'a/', 'a/b/'),
      fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore'),
      ignoreFile,
    ),
    { maxLength: 4 },
  ),
  repositories: fc.array(fc.constantFrom('', 'src', 'a', 'a/b'), { maxLength: 2 }),
  root: fc.constantFrom('.', '.', 'src', 'a'),
})

async function plant({
  files,
  ignoreFiles,
  repositories,
}: {
  files: string[]
  ignoreFiles: [string, string, string][]
  repositories: string[]
}) {
  const workspace = await workspaceWith()
  const put = async (to: string, content: string): Promise<void> => {
    try {
      await mkdir(dirname(join(workspace, to)), { recursive: true })
      await writeFile(join(workspace, to), content)
    } catch {
      // A file stands where a folder should be, or the other way round.
    }
  }
  await mkdir(join(workspace, 'src'))
  await mkdir(join(workspace, 'a'))
  for (const file of files) await put(file, `in ${file}\n`)
  for (const [folder, file, rules] of ignoreFiles) await put(folder + file, rules)
  for (const repository of repositories) await put(join(repository, '.git/HEAD'), 'in HEAD\n')
  await symlink('src', join(workspace, 'link')).catch(() => {})
  return workspace
}

test('the same files, with ripgrep and without', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(tree, pattern, async (planted, wanted) => {
      const workspace = await plant(planted)
      const found = (ripgrep: string | false) => glob({ workspace, ripgrep })({ pattern: wanted, path: planted.root })
      expect(await found(false)).toBe(await found(rgPath))
      const searched = (ripgrep: string | false) => grep({ workspace, ripgrep })({ pattern: 'in', path: planted.root, show: 'files' })
      expect(await searched(false)).toBe(await searched(rgPath))
    }),
  )
})

const text = fc
  .array(
    fc.constantFrom('a', 'b', 'A', '1', '_', '-', ' ', '\t', '.', 'é', 'É', 'ß', '٣', '\u00a0', '\u0301', '🙂', '[', '{', '}', '\\', '"'),
    { maxLength: 12 },
  )
  .map((chars) => chars.join(''))
const file = fc
  .tuple(fc.array(text, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''))
// Not `\\B`: ripgrep finds it between `\\r` and `\\n`, too.
const atom = fc.constantFrom(
  ...String.raw`a b A 1 é . \w \W \d \D \s \S [ab] [^a] [a-z] [^\w] [\d_-] [[:alpha:]] [[:^digit:]] []a] [a&&b] [\w--a]`.split(' '),
  ...String.raw`\b ^ $ \x61 \x{e9} \pL \p{Greek} \P{Lu} \. \- \" } ] " - /`.split(' '),
)
const expression: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('node'), tie('node')).map((both) => both.join('')),
    fc.tuple(tie('node'), tie('node')).map((both) => `(?:${both.join('|')})`),
    fc
      .tuple(fc.constantFrom('(', '(?P<x>', '(?<x>', '(?:'), tie('node'))
      .map(([open, inner]) => `${open}${inner.replaceAll(/\(\?P?<x>/g, '(')})`),
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?')).map((both) => both.join('')),
  ),
})).node
const query = fc.record({
  pattern: fc.oneof(
    { weight: 4, arbitrary: expression },
    { weight: 1, arbitrary: expression.map((inner) => `(?i)${inner}`) },
    { weight: 1, arbitrary: text.filter((chars) => chars !== '') },
  ),
  literal: fc.boolean(),
  ignoreCase: fc.boolean(),
  context: fc.constantFrom(0, 0, 1, 2),
  limit: fc.constantFrom(2, 250),
})

test('the same lines, with ripgrep and without', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), query, async (files, input) => {
      const workspace = await workspaceWith(Object.fromEntries(files.map((content, index) => [`${index}.txt`, content])))
      const said = (ripgrep: string | false) =>
        grep({ workspace, ripgrep })(input).catch((error: unknown) => (error instanceof Error ? error.message.slice(0, 27) : ''))
      expect(await said(false)).toBe(await said(rgPath))
    }),
  )
})
