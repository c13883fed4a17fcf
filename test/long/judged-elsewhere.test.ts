// Every call of the security tables, judged as on a machine that answers nothing at once.
process.env['JUDGE_ELSEWHERE'] ??= '1'

const tables = [
  'as-a-hostile-model',
  'attacks',
  'data-beyond',
  'denied-files',
  'git-contents',
  'hard-list-by-tools',
  'hidden-commands',
  'hostile-projects',
  'readers',
  'reports',
  'withheld-files',
]
for (const table of tables) await import(`../security/${table}.test.ts`)
