/** A small project in memory, for questions about it. */
export const project: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: 'demo',
      version: '1.2.3',
      license: 'MIT',
      scripts: { test: 'vitest', build: 'tsc' },
      dependencies: { zod: '^4.0.0', hono: '4.1.0' },
      devDependencies: { vitest: '4.1.12' },
    },
    null,
    2,
  )}\n`,
  'README.md': '# Demo\n\nA small demo of things.\n\n## Use\n\nRun it.\n',
  LICENSE: 'MIT License\n',
  'a.txt': 'first\nsecond line\nthird\n',
  'salt and pepper.txt': 'salt\npepper\n',
  'command-and-control.md': '# C and C\n',
  'and.txt': 'a conjunction\n',
  'src/index.ts': "import { a } from './a.ts'\nexport const main = () => a\n// TODO: more\n",
  'src/a.ts': '// TODO: x\nexport function a() {}\n',
  'src/util/b.js': 'module.exports = 1\n',
  'empty/': '',
}

/** The entries of its root, as an answer shows them. */
export const rootEntries = [
  'empty/',
  'src/',
  'LICENSE',
  'README.md',
  'a.txt',
  'and.txt',
  'command-and-control.md',
  'package.json',
  'salt and pepper.txt',
]
