import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fc } from '../support/fast-check.ts'
import { glob, grep } from '../../src/toolkit/index.ts'

const name = fc.constantFrom('a', 'b.ts', 'B.ts', '.c', 'd e.txt', 'é.ts', '[f]', 'g!', '#h', 'node_modules', 'build')
const line = fc.constantFrom('alpha', 'Beta', 'foo.bar', 'foo bar', '  x = 1', 'ünï', '', 'a\tb', '日本', 'alpha beta alpha', '}', '\\d')
const content = fc.tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\0', '\ufeff'))
const tree = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), content), { minLength: 1, maxLength: 8 })
const ignoring = fc.constantFrom(
  'a',
  '*.ts',
  '!B.ts',
  '/build',
  'build/',
  'node_modules',
  '**/a',
  'a/**',
  '#x',
  '\\#h',
  '[bB].ts',
  '?',
  'd e.txt',
  '*.ts ',
  '!*',
  '.c',
  'g!',
  'a/b.ts',
)
const ignores = fc.array(
  fc.tuple(fc.constantFrom('.', 'a', 'build'), fc.constantFrom('.gitignore', '.ignore', '.rgignore'), fc.array(ignoring, { maxLength: 3 })),
  { maxLength: 2 },
)
const pattern = fc.constantFrom(
  'alpha',
  'beta',
  'foo.bar',
  'foo\\.bar',
  '^a',
  'a$',
  '\\bx\\b',
  '[a-z]+',
  '\\w+',
  '\\s',
  'ü',
  '(alpha|Beta)',
  'a{2}',
  '日',
  '\\d',
  '^$',
  '.',
  '\\p{L}+',
  '}',
  'a.*a',
)
const globs = fc.constantFrom(
  '*.ts',
  '**/*.ts',
  'a/**',
  './*',
  '*',
  '{a,b}*',
  '[a-c]*',
  '?.ts',
  '**/a/**',
  '.*',
  '[!a]*',
  'build/*',
  '\\[f\\]',
  '* *',
)
const query = fc.record(
  {
    pattern,
    glob: fc.option(globs, { nil: undefined }),
    ignoreCase: fc.boolean(),
    literal: fc.boolean(),
    context: fc.constantFrom(0, 1),
    show: fc.constantFrom('lines', 'files', 'counts'),
    limit: fc.constantFrom(1, 3, 250),
  },
  { requiredKeys: ['pattern', 'show', 'literal', 'ignoreCase', 'context', 'limit'] },
)

async function write(base: string, path: string, text: string): Promise<void> {
  // A name that is a file already cannot be a folder, too.
  await mkdir(dirname(join(base, path)), { recursive: true })
    .then(
      () => writeFile(join(base, path), text),
      () => {},
    )
    .catch(() => {})
}

const saidBy = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => `failed: ${(error as Error).message}`)

test('with ripgrep and without it the same is found, in whatever tree', { timeout: 300_000 }, async () => {
  const runs = Number(process.env['PROPERTY_RUNS'] ?? 60)
  await fc.assert(
    fc.asyncProperty(tree, ignores, query, globs, async (files, lists, asked, sought) => {
      const base = await mkdtemp(join(tmpdir(), 'lena-engines-'))
      try {
        for (const [parts, [lines, end, mark]] of files)
          await write(base, parts.join('/'), mark === '\ufeff' ? mark + lines.join(end) : lines.join(end) + mark)
        for (const [folder, file, lines] of lists) await write(base, join(folder, file), lines.join('\n'))
        await symlink(base, join(base, 'link')).catch(() => {})
        const both = async (tool: typeof grep | typeof glob, input: object): Promise<readonly unknown[]> =>
          await Promise.all(
            [undefined, false as const].map((ripgrep) =>
              saidBy((tool as typeof grep)({ workspace: base, ripgrep })(input as { pattern: string })),
            ),
          )
        const [first, second] = await both(grep, Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)))
        expect(second).toEqual(first)
        const [listed, walked] = await both(glob, { pattern: sought })
        expect(walked).toEqual(listed)
      } finally {
        await rm(base, { recursive: true, force: true })
      }
    }),
    { numRuns: runs },
  )
})
