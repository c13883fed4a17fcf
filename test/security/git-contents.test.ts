import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeIn, makePlace } from './judge.ts'
import { judgedIn, rows } from './table.ts'

/** A repository that keeps `src`, `secret` and `old/key`; the last is gone from the folder, and `.env` was never kept. */
const place = makePlace()
const { workspace } = place
const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.example', ...args], { cwd: workspace, stdio: 'ignore' })
beforeAll(() => {
  rmSync(join(workspace, '.git'), { recursive: true })
  for (const folder of ['secret', 'old']) mkdirSync(join(workspace, folder))
  for (const path of ['secret/key', 'old/key', '.env', 'src/a.ts']) writeFileSync(join(workspace, path), 'K')
  git('init', '-q', '-b', 'main')
  git('add', 'src', 'secret', 'old')
  git('commit', '-q', '-m', 'all')
  rmSync(join(workspace, 'old'), { recursive: true })
})
afterAll(place.remove)

const judged = judgedIn(workspace)
const denied = { mode: 'bypass', rules: ['deny read_file(secret/**)'] } as const

// oxfmt-ignore
const prints = ['git diff', 'git diff HEAD', 'git diff HEAD~1 HEAD', 'git diff --cached', 'git diff --stat -p', 'git diff --stat --patch', 'git diff -- .', "git diff -- '*'", "git diff -- ':/'", "git diff -- ':!src'", 'git diff --no-index . /tmp/x', 'git diff -U0', 'git log -p', 'git log --patch', 'git log -u', 'git log -1 -U3', 'git log --oneline -p', 'git log --stat -p', 'git log -p --full-diff -- src', 'git log -p --follow src/a.ts', 'git log -p --author src', 'git log -c', 'git log --cc', 'git log -m --remerge-diff', 'git log --word-diff', 'git log -L1,2:secret/key', 'git log --pat', 'git log $x', 'git show', 'git show HEAD', 'git show main', 'git show --format=%H', 'git show --stat abc1234', 'git show abc1234', 'git show ":/all"', 'git show "HEAD^{/a: b}"', 'git -C . show', 'git -C src show', 'git -C src diff', 'git --no-pager show', 'git --git-dir=.git show', 'git --work-tree=src checkout .', 'git -p show', 'git -c a.b=c show', 'git --namespace x show', 'git whatchanged -p', 'git reflog -p', 'git stash show -p', 'git stash list -p', 'git stash -p', 'git diff-tree -p HEAD', 'git diff-index -p HEAD', 'git diff-files -p', 'git range-diff a b c', 'git format-patch -1', 'git format-patch --stdout -1', 'git cat-file -p abc1234', 'git cat-file blob abc1234', 'git cat-file --batch', 'git cat-file -p main', 'git grep K', 'git grep K HEAD', 'git grep --cached K', 'git archive HEAD', 'git bundle create x HEAD', 'git fast-export --all', 'git merge-tree a b', 'git checkout-index -a --prefix=x/', 'git read-tree --prefix=x HEAD', 'git update-index --cacheinfo 100644,abc,x', 'git status -v', 'git commit --dry-run -v', 'git add -p', 'git checkout -p', 'git reset -p', 'git restore -p .', 'git rebase --show-current-patch', 'git am --show-current-patch', 'git rerere diff', 'git bisect view -p', 'git notes add -C abc1234', 'git tag -l --format="%(raw)"', 'git for-each-ref --format="%(raw)"', 'git clone . x', 'git clone -q -b main ./ x', 'git worktree add x', 'git submodule add ./ x', 'git lg', 'git $x', 'git blame "$f"', 'git show "HEAD:$f"', 'cd src && git show', 'cd src; git diff', '(cd src && git log -p)', 'xargs git show', 'echo abc | xargs git show', 'GIT_DIR=.git git show', 'export GIT_INDEX_FILE=x; git diff', 'env GIT_DIR=.git git show', 'GIT_DIR=x; git log -p', '/usr/lib/git-core/git-show', 'git-show', 'sudo git show', 'bash -c "git show"', 'x=$(git show)', 'git show | head', 'git submodule foreach git show', 'git for-each-repo --config=x show']
// oxfmt-ignore
const silent = ['git status', 'git status -s', 'git log', 'git log --oneline', 'git log --oneline -5', 'git log -n 5 --stat', 'git log --name-only', 'git log --graph --all --format="%h %s"', 'git log --since="1 week" -- src', 'git log -S x', 'git diff --stat', 'git diff --name-only HEAD~1', 'git diff --name-status main', 'git diff --numstat', 'git diff --quiet', 'git show --stat', 'git show --stat HEAD~1', 'git show --name-only HEAD^', 'git show -s HEAD', 'git show --no-patch HEAD', 'git stash list', 'git stash show --stat', 'git reflog', 'git shortlog HEAD', 'git ls-files', 'git ls-tree -r HEAD', 'git rev-parse HEAD', 'git cat-file -t HEAD', 'git cat-file -s HEAD', 'git branch -a', 'git tag', 'git remote -v', 'git describe', 'git bisect start']
// oxfmt-ignore
const limited = ['git diff -- src', 'git diff src', 'git diff src/a.ts', 'git diff HEAD -- src', 'git diff HEAD src/a.ts', 'git diff HEAD~1 HEAD -- src docs', "git diff -- 'src/*'", 'git -C src diff -- .', 'git log -p -- src', 'git log -p -1 src', 'git log -p src/a.ts', 'git show HEAD -- src', 'git show HEAD:src/a.ts', 'git show :src/a.ts', 'git show HEAD~1:src/a.ts', 'git cat-file -p HEAD:src/a.ts', 'git blame src/a.ts', 'git blame -L 1,2 src/a.ts', 'git grep K -- src', 'git diff --no-index src docs', 'git clone https://x.example/y']

judged(
  'contents that git prints, where a rule denies some of the files',
  denied,
  rows('ask', ...prints),
  rows(
    'allow',
    ...silent,
    ...limited,
    'git commit -m "the key"',
    'git add -A',
    'git checkout -b x',
    'git pull',
    'git push',
    'git stash',
    'git commit -v -m x',
    'git commit -m"up x"',
    'git checkout -- src',
  ),
)

judged(
  'a file that is named in the history',
  denied,
  rows(
    'deny',
    'git diff secret/key',
    'git log -p -- secret/key',
    'git blame secret/key',
    'git diff HEAD -- secret',
    'git show HEAD -- secret/key',
    'git grep K -- secret',
  ),
  rows(
    'ask',
    'git show HEAD:secret/key',
    'git show HEAD:SECRET/key',
    'git show HEAD:./secret/key',
    'git cat-file -p HEAD:secret/key',
    'cd src && git show HEAD:secret/key',
    'git -C src show HEAD:secret/key',
    'git diff HEAD:secret/key HEAD:src/a.ts',
  ),
)

judged(
  'a file that is kept, and gone from the folder',
  { mode: 'bypass', rules: ['deny read_file(old/**)'] },
  rows('ask', 'git diff', 'git log -p', 'git show HEAD', 'git grep K HEAD', 'git archive HEAD'),
  rows('allow', 'git diff src', 'git log -p -- src', 'git grep K', 'git worktree add x'),
)

// Whether it was kept once cannot be told.
judged(
  'a file that is not kept now',
  { mode: 'bypass', rules: ['deny read_file(.env)'] },
  rows('allow', 'git diff', 'git diff -w', 'git diff src', 'cd src && git diff'),
  rows('ask', 'git log -p', 'git show HEAD', 'git diff HEAD', 'git diff main', 'git diff --cached', 'git diff --submodule=diff HEAD'),
)

judged(
  'a rule that speaks of any folder',
  { mode: 'bypass', rules: ['deny read_file(**/.env)'] },
  rows('allow', 'git diff', 'git diff src/a.ts', 'git diff HEAD -- src/a.ts', 'git show HEAD:src/a.ts'),
  rows('ask', 'git log -p', 'git log -p -- src'),
)

judged(
  'a rule that asks',
  { mode: 'bypass', rules: ['ask read_file(secret/**)'] },
  rows('ask', 'git diff', 'git show', 'git log -p'),
  rows('allow', 'git log', 'git diff src'),
)

const quiet = [
  'git diff',
  'git diff HEAD',
  'git log -p',
  'git show',
  'git show abc1234',
  'git diff -- src',
  'git blame src/a.ts',
  'git cat-file -p HEAD',
  'git show HEAD:secret/key',
]

judged(
  'no rule holds a file of the repository back: nothing changes',
  {
    rules: [
      'deny shell(git push*)',
      'deny read_file(/etc/**)',
      'deny write_file(secret/**)',
      'allow read_file(src/**)',
      'deny read_file(~/.no-such-folder/**)',
    ],
  },
  rows('allow', ...quiet),
)

judged(
  'and in the mode default',
  { rules: ['deny read_file(secret/**)'] },
  rows('ask', 'git diff', 'git log -p', 'git show', 'git cat-file -p abc1234', 'git show HEAD:secret/key'),
  rows('allow', 'git diff src', 'git log', 'git log -p -- src', 'git show HEAD:src/a.ts', 'git show --stat', 'git status'),
)

describe('from a folder of the repository', () => {
  test('what is shown is that of all of it', async () => {
    const options = { mode: 'bypass', workspace, rules: ['deny read_file(secret/**)'] } as const
    const judge = judgeIn(join(workspace, 'src'), options)
    const said = await Promise.all(
      ['git diff', 'git show', 'git show HEAD:secret/key', 'git diff -- .', 'git log -p -- ..'].map((command) =>
        judge('shell', { command }),
      ),
    )
    expect(said).toEqual(['ask', 'ask', 'ask', 'allow', 'ask'])
  })
})
