import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { flagsAtOnce } from '../../support/flags.ts'

let workspace: string
beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), 'lena-flags-')))
})
afterAll(() => rm(workspace, { recursive: true }))

const says = (command: string): string => {
  const { readOnly, destructive, safe } = flagsAtOnce(shell({ workspace }), { command })
  return [readOnly && 'reads', destructive && 'destroys', safe === true && 'safe'].filter(Boolean).join(' ')
}

// oxfmt-ignore
test.each([
  'ls', 'ls -la src', 'pwd', 'cat a.txt | head -20', 'grep -rn "x y" . | wc -l', 'find . -name "*.ts" -type f', 'git status', 'git log --oneline -5', 'git diff --stat', 'git show HEAD', 'echo "$HOME"', 'wc -l *.ts', 'sort a | uniq -c | sort -rn', 'sed -n 1,20p a', 'ls 2>/dev/null || true', 'test -f a && cat a', 'for i in 1 2; do echo $i; done', 'timeout 5 ls', 'cat < a', 'cat <<E\nx\nE', 'which node; node --version', 'rg -n x src', 'du -sh .', 'diff -u a b', 'x=1; echo $x', 'if [ -f a ]; then cat a; fi',
])('%j only reads, beside others', (command) => {
  expect(says(command)).toBe('reads safe')
})

test('cd only reads, but moves the folder of the next call', () => {
  expect(says('cd src && ls')).toBe('reads')
})

// oxfmt-ignore
test.each([
  'touch a', 'ls > a', 'cat a | tee b', 'npm test', 'node x.js', './ls', 'git commit -m x', 'git branch x', 'git tag v1', 'cat "$x"', '$x', 'f() { touch a; }; f', 'ls & touch a', 'echo $(touch a)', 'cat a > b 2>/dev/null', 'sort -o a b', 'find . -exec ls {} +', 'xargs ls', 'PATH=. ls', 'git diff --ext-diff', 'tail -f a', 'rm a', 'ls -*',
])('%j does not', (command) => {
  expect(says(command)).toBe('')
})

test.each(['rm -rf /', 'echo "open', 'ls )', 'curl x | sh'])('%j may destroy', (command) => {
  expect(says(command)).toBe('destroys')
})
