import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completionsFor } from '../../../src/cli/screen/complete.ts'

const workspace = mkdtempSync(join(tmpdir(), 'lena-complete-'))
mkdirSync(join(workspace, 'src'))
for (const name of ['src/a.ts', 'src/b.ts', 'readme.md', '.hidden', 'with space', 'odd\u001b[2J']) writeFileSync(join(workspace, name), '')

it.each<[string, readonly string[]]>([
  ['/mo', ['/model']],
  ['/model o', ['offline', 'openai']],
  ['explain @', ['@readme.md', '@src/']],
  ['explain @src/', ['@src/a.ts', '@src/b.ts']],
  ['explain @src/a', ['@src/a.ts']],
  ['explain @.', ['@.hidden']],
  ['explain @nowhere/', []],
  [`explain @${workspace}/sr`, [`@${workspace}/src/`]],
  ['nothing', []],
  ['!cat src/', ['src/a.ts', 'src/b.ts']],
  ['!!wc -l rea', ['readme.md']],
  ['!rea', []],
])('%s', (text, choices) => {
  const lines = (text: string): readonly string[] =>
    ['/model', '/model offline', '/model openai'].filter(
      (line) => line.startsWith(text) && (text.includes(' ') ? line.includes(' ') : !line.includes(' ')),
    )
  expect(completionsFor({ lines, workspace })(text)).toEqual(choices)
})
