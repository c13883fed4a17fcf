import { afterAll, test } from 'vitest'
import { fc, runs } from '../support/fast-check.ts'
import { judgeIn, makePlace } from './judge.ts'

const place = makePlace()
afterAll(place.remove)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Ways to write one word. */
const spellings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `\\${word}`,
  (word) => `${word[0]}""${word.slice(1)}`,
  (word) => `$'${word}'`,
  (word) => `$'\\x${word.charCodeAt(0).toString(16)}${word.slice(1)}'`,
  (word) => `${word.slice(0, 2)}\\\n${word.slice(2)}`,
  (word) => `"${word[0]}"'${word.slice(1)}'`,
]
const word = (text: string) => fc.constantFrom(...spellings).map((spell) => spell(text))
const program = fc.oneof(
  word('git'),
  fc.constantFrom('/usr/bin/git', './git', 'git -C .', 'git -c a.b=c', 'git --no-pager', 'GIT', 'git p* &&git'),
)
const denied = fc
  .tuple(
    program,
    fc.constantFrom(' ', '  ', '\t', ' \\\n'),
    word('push'),
    fc.constantFrom('', ' origin', ' "$X"', ' >/dev/null', ' 2>&1', ' #x', ' *'),
  )
  .map((parts) => parts.join(''))

/** Ways to run a command inside another line. A line break ends what may be a comment. */
const contexts: readonly ((inner: string) => string)[] = [
  ...['&&', '||', ';', '|', '|&', '&'].map((joint) => (inner: string) => `echo x ${joint} ${inner}\n`),
  ...['&&', ';', '|', '&'].map((joint) => (inner: string) => `${inner}\n true ${joint} echo x`),
  (inner) => `(${inner}\n)`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `! ${inner}`,
  (inner) => `time ${inner}`,
  (inner) => `echo $(${inner}\n)`,
  (inner) => `echo "x $(${inner}\n) y"`,
  (inner) => `x=$(${inner}\n)`,
  (inner) => `cat <(${inner}\n)`,
  (inner) => `echo \${x:-$(${inner}\n)}`,
  (inner) => `if ${inner}\nthen echo x; fi`,
  (inner) => `for i in 1; do ${inner}\ndone`,
  (inner) => `while ${inner}\ndo break; done`,
  (inner) => `case x in y) echo;; *) ${inner}\n;; esac`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `cat <<E_${inner.length}\n$(${inner}\n)\nE_${inner.length}\n`,
  (inner) => `bash -c ${quoted(inner)}`,
  (inner) => `sh -ec ${quoted(inner)} x`,
  (inner) => `eval ${quoted(inner)}`,
  (inner) => `trap ${quoted(inner)} EXIT`,
  (inner) => `bash <<< ${quoted(inner)}`,
  (inner) => `[[ -n $(${inner}\n) ]]`,
  (inner) => `echo $((1 + $(${inner}\n)))`,
  (inner) => `{ ${inner}\n} > /dev/null`,
  (inner) => `. /dev/stdin <<< ${quoted(inner)}`,
  (inner) => `at now <<< ${quoted(inner)}`,
  (inner) => `fish -c ${quoted(inner)}`,
  (inner) => `git submodule foreach ${quoted(inner)}`,
  (inner) => `git bisect run sh -c ${quoted(inner)}`,
  (inner) => `git rebase -x ${quoted(inner)} main`,
  (inner) => `coproc { ${inner}\n}`,
  (inner) => `select x in 1; do ${inner}\ndone <<< 1`,
]
const wrappers = [
  'taskset 1',
  'npx',
  'ssh h',
  'perf stat',
  'pkexec',
  'unbuffer',
  'setarch x86_64',
  'cross-env X=1',
  'sudo',
  'env X=1',
  'nohup',
  'nice -n 5',
  'timeout 5',
  'command',
  'xargs',
  'X=1',
  'stdbuf -o0',
  'watch',
  'setsid',
  'busybox',
  'find . -exec',
]

const composed = fc
  .tuple(denied, fc.array(fc.constantFrom(...wrappers), { maxLength: 2 }), fc.array(fc.constantFrom(...contexts), { maxLength: 4 }))
  .map(([inner, around, nested]) => nested.reduce((script, context) => context(script), [...around, inner].join(' ')))

test.each(['default', 'plan', 'accept_edits', 'bypass'] as const)(
  'no composed command gets past a deny rule in the mode %s',
  { timeout: 120_000 },
  async (mode) => {
    const judge = judgeIn(place.workspace, { mode, rules: ['deny shell(git push*)', 'allow shell'] })
    await fc.assert(
      fc.asyncProperty(composed, async (command) => (await judge('shell', { command })) !== 'allow'),
      runs(100),
    )
  },
)

test('and none that is not allowed gets past rules that allow others', { timeout: 120_000 }, async () => {
  const judge = judgeIn(place.workspace, {
    rules: ['allow shell(echo *)', 'allow shell(cat *)', 'allow shell(true*)', 'allow shell(bash *)', 'allow shell(f)'],
  })
  await fc.assert(
    fc.asyncProperty(composed, async (command) => (await judge('shell', { command })) !== 'allow'),
    runs(100),
  )
})
