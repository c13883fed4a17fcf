import { describe, expect, it } from 'vitest'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project, rootEntries } from './project.ts'

type Calls = readonly string[]

const readOf = (path: string, rest: object = {}): string => `read_file ${JSON.stringify({ path, ...rest })}`
const listOf = (path: string): string => `list_dir ${JSON.stringify({ path })}`
const shellOf = (command: string): string => `shell ${JSON.stringify({ command })}`
const skipped = "-not -path '*/node_modules/*' -not -path '*/.git/*'"
const findOf = (folder: string, names: string): string => shellOf(`find ${folder} -type f ${names} ${skipped}`)
const grepOf = (text: string, place: string, flags = ''): string =>
  shellOf(`grep -rnHIF${flags} --exclude-dir=node_modules --exclude-dir=.git -e ${text} -- ${place}`)

/** A prompt, the calls of each turn, and what the answer must say. */
type Row = readonly [prompt: string, turns: readonly Calls[], facts: readonly (string | RegExp)[]]

const check = (rows: readonly Row[]): void => {
  it.each(rows)('%s', async (prompt, turns, facts) => {
    const played = await play(prompt, { tools: folderOf(project).basic })
    expect(played.turns.map((calls) => calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`))).toEqual(turns)
    for (const fact of facts)
      expect(played.answer).toMatch(typeof fact === 'string' ? new RegExp(fact.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : fact)
    expect(played.answer).not.toMatch(/did not understand/)
  })
}

const aText = /`a\.txt` \(3 lines\):\n\n```txt\nfirst\nsecond line\nthird\n```/

describe('reading', () => {
  check([
    ['read a.txt', [[readOf('a.txt')]], [aText]],
    ['a.txt', [[readOf('a.txt')]], [aText]],
    ['cat a.txt', [[readOf('a.txt')]], [aText]],
    ['could you please read a.txt for me?', [[readOf('a.txt')]], [aText]],
    ["Hi Lena, what's in a.txt?", [[readOf('a.txt')]], [aText]],
    ['tell me what a.txt says', [[readOf('a.txt')]], [aText]],
    ['show me the contents of a.txt, please', [[readOf('a.txt')]], [aText]],
    ['read "salt and pepper.txt"', [[readOf('salt and pepper.txt')]], ['`salt and pepper.txt` (2 lines)', 'pepper']],
    ['read `and.txt` and command-and-control.md', [[readOf('and.txt'), readOf('command-and-control.md')]], ['a conjunction', '# C and C']],
    [
      'read a.txt, and.txt and src/a.ts',
      [[readOf('a.txt'), readOf('and.txt'), readOf('src/a.ts')]],
      [aText, 'a conjunction', 'export function a'],
    ],
    ['open a.ts in src', [[readOf('src/a.ts')]], ['export function a']],
    ['open the readme', [[listOf('.')], [readOf('README.md')]], ['`README.md` (7 lines)']],
    ['print README.md and the license', [[listOf('.')], [readOf('README.md'), readOf('LICENSE')]], ['Run it.', 'MIT License']],
    ['read src', [[readOf('src')], [listOf('src')]], ['`src` has 1 folder and 2 files']],
    [
      'show the first 2 lines of a.txt',
      [[readOf('a.txt', { limit: 2 })]],
      ['The first 2 lines of `a.txt`:\n\n```txt\nfirst\nsecond line\n```'],
    ],
    ['what is the last line of a.txt?', [[readOf('a.txt')]], ['The last line of `a.txt`: `third`']],
    ['show line 2 of a.txt', [[readOf('a.txt', { offset: 2, limit: 1 })]], ['Line 2 of `a.txt`: `second line`']],
    ['print lines 2-3 of a.txt', [[readOf('a.txt', { offset: 2, limit: 2 })]], ['Lines 2 to 3 of `a.txt`', 'third']],
    ['tail -n 2 a.txt', [[readOf('a.txt')]], ['The last 2 lines of `a.txt`', 'second line\nthird']],
  ])
})

describe('summaries and facts', () => {
  check([
    ['look at README.md and tell me what it is about', [[readOf('README.md')]], ['under 2 headings']],
    ['explain what src/index.ts does', [[readOf('src/index.ts')]], ['- exports 1 name: `main`']],
    ['list the dev dependencies of package.json', [[readOf('package.json')]], ['`package.json` has 1 devDependency:\n\n- vitest']],
    ['does this project use zod?', [[readOf('package.json')]], ['Yes, `package.json` names `zod` ^4.0.0 in its dependencies.']],
    ['is "left-pad" a dependency?', [[readOf('package.json')]], ['No, `package.json` does not name `left-pad` as a dependency.']],
    ['What can you tell me about this repository?', [[listOf('.')], [readOf('README.md'), readOf('package.json')]], ['headed “Demo”']],

    [
      'summarise README.md',
      [[readOf('README.md')]],
      ['Markdown with 7 lines and 11 words, under 2 headings', '“A small demo of things.”', '- Demo\n  - Use'],
    ],
    ['Give me a short summary of the readme', [[listOf('.')], [readOf('README.md')]], ['under 2 headings']],
    [
      'what is src/index.ts about?',
      [[readOf('src/index.ts')]],
      ['TypeScript with 3 lines', '- imports 1 module: `./a.ts`', '- exports 1 name: `main`'],
    ],
    [
      'describe package.json and src/a.ts',
      [[readOf('package.json'), readOf('src/a.ts')]],
      ['the package `demo 1.2.3`', 'scripts (2): `test` and `build`', '- defines 1 function: `a`'],
    ],
    [
      'summarize all markdown files',
      [
        [findOf('.', "\\( -name '*.md' -o -name '*.mdx' -o -name '*.markdown' \\)")],
        [readOf('README.md'), readOf('command-and-control.md')],
      ],
      ['under 2 headings', 'under 1 heading'],
    ],
    ['what does package.json depend on?', [[readOf('package.json')]], ['depends on 3 packages']],
    ['which packages does this project use', [[readOf('package.json')]], ['`hono` 4.1.0']],
    ['what does src/index.ts import?', [[readOf('src/index.ts')]], ['imports 1 module: `./a.ts`']],
    ['list the functions in src/a.ts', [[readOf('src/a.ts')]], ['`src/a.ts` has 1 function:\n\n- a']],
    ['what headings does README.md have', [[readOf('README.md')]], ['`README.md` has 2 headings:\n\n- Demo\n- Use']],
    ['What is the title of README.md?', [[readOf('README.md')]], ['is “Demo”']],
    ['what version is in package.json?', [[readOf('package.json')]], ['The `version` in `package.json` is `1.2.3`.']],
    ['what is the name and the license in package.json', [[readOf('package.json')]], ['is `demo`', 'is `MIT`']],
    ['which version of zod does package.json use', [[readOf('package.json')]], ['asks for `zod` `^4.0.0` in its dependencies']],
    ['what is the "scripts.test" in package.json', [[readOf('package.json')]], ['The `scripts.test` in `package.json` is `vitest`.']],
    ['what scripts are in package.json?', [[readOf('package.json')]], ['- test\n- build']],
    [
      'what is this project?',
      [[listOf('.')], [readOf('README.md'), readOf('package.json')]],
      ['headed “Demo”', 'the package `demo 1.2.3`', 'This folder has 2 folders and 7 files'],
    ],
  ])
})

describe('folders', () => {
  check([
    ['show me the project structure', [[listOf('.')]], ['This folder has 2 folders and 7 files']],
    ['list src recursively', [[findOf('src', "-name '*'")]], ['3 files in `src`', '- src/util/b.js']],
    ['count the files in src recursively', [[findOf('src', "-name '*'")]], ['I count 3 files in `src`, folders below included.']],
    ['how many files are there in total?', [[listOf('.')]], ['This folder has 7 files, besides 2 folders']],

    ['ls', [[listOf('.')]], rootEntries.map((entry) => `- ${entry}`)],
    ['what files are here', [[listOf('.')]], ['This folder has 2 folders and 7 files']],
    ['What is in this folder?', [[listOf('.')]], ['This folder has 2 folders and 7 files']],
    ['list all files in this project', [[listOf('.')]], ['This folder has 2 folders and 7 files']],
    ['list src', [[listOf('src')]], ['`src` has 1 folder and 2 files:\n\n- util/\n- a.ts\n- index.ts']],
    ['list src and empty', [[listOf('src'), listOf('empty')]], ['`src` has', '`empty` is empty.']],
    ['show me the files in the src folder', [[listOf('src')]], ['`src` has']],
    ['what is in src/util?', [[listOf('src/util')]], ['`src/util` has 1 file:\n\n- b.js']],
    ["what's inside the empty folder", [[listOf('empty')]], ['`empty` is empty.']],
    ['how many files are in src?', [[listOf('src')]], ['`src` has 2 files, besides 1 folder']],
    [
      'can you tell me how many files there are in src and in empty?',
      [[listOf('src'), listOf('empty')]],
      ['`src` has 2 files', '`empty` has 0 files'],
    ],
    ['does src/b.ts exist?', [[listOf('src')]], ['No, `src` has no `b.ts`. The nearest that it has: `a.ts`.']],
    ['do you see a.txt?', [[listOf('.')]], ['Yes, `a.txt` is in this folder.']],
  ])
})

describe('counting', () => {
  check([
    ['how many lines does README.md have?', [[readOf('README.md')]], ['`README.md` has 7 lines.']],
    ['count the lines and words of a.txt', [[readOf('a.txt')]], ['`a.txt` has 3 lines and 4 words.']],
    ['how long is "salt and pepper.txt"?', [[readOf('salt and pepper.txt')]], ['has 2 lines, 2 words and 12 characters.']],
    ['word count of README.md', [[readOf('README.md')]], ['`README.md` has 11 words.']],
    ['how many times does TODO appear in src/index.ts?', [[readOf('src/index.ts')]], ['has 1 occurrence of `TODO`.']],
    ['how often does "o" occur in README.md', [[readOf('README.md')]], ['has 3 occurrences of `o`.']],
    [
      'count occurrences of zebra in a.txt',
      [[readOf('a.txt')]],
      ['has 0 occurrences of `zebra`. (I look for exactly these letters, capitals included.)'],
    ],
    ['how many lines in a.txt contain second?', [[readOf('a.txt')]], ['`a.txt` has 1 line with `second`.']],
    ['how many blank lines does README.md have', [[readOf('README.md')]], ['has 3 blank lines.']],
    ['how many functions are in src/a.ts', [[readOf('src/a.ts')]], ['has 1 function.']],
    ['how many dependencies does package.json have?', [[readOf('package.json')]], ['has 3 dependencies.']],
    [
      'count words in README.md and a.txt',
      [[readOf('README.md'), readOf('a.txt')]],
      ['- `README.md` has 11 words.\n- `a.txt` has 4 words.\n\nTogether: 15 words.'],
    ],
    [
      'count the lines of all ts files in src',
      [[findOf('src', "-name '*.ts'")], [readOf('src/a.ts'), readOf('src/index.ts')]],
      ['Together: 5 lines.'],
    ],
    ['how many ts files are there?', [[findOf('.', "-name '*.ts'")]], ['I count 2 .ts files here']],
    ['how many TODOs are in src', [[grepOf('TODO', 'src')]], ['2 lines in `src` have `TODO`.']],
    ['how many words are in "the quick brown fox"?', [], ['The text has 4 words.']],
    ['count the words of this text:\none two three\nfour', [], ['The text has 4 words.']],
    ['summarise this:\n\nThe fox jumps.\nIt does.', [], ['The text has 2 lines, 5 words', '“The fox jumps. It does.”']],
  ])
})

describe('finding and searching', () => {
  check([
    ['find all TODOs', [[grepOf('TODO', '.')]], ['2 lines in 2 files']],
    ['show all TODO comments in src', [[grepOf('TODO', 'src')]], ['2 lines in 2 files']],

    ['find all .ts files in src', [[findOf('src', "-name '*.ts'")]], ['- src/a.ts\n- src/index.ts']],
    ['find all ts and md files', [[findOf('.', "\\( -name '*.ts' -o -name '*.md' \\)")]], ['4 files']],
    ['list *.md', [[findOf('.', "-name '*.md'")]], ['- README.md']],
    ['find src/*.ts', [[findOf('src', "-name '*.ts'")]], ['- src/a.ts']],
    ['find files named b.js', [[findOf('.', "-name 'b.js'")]], ['- src/util/b.js']],
    ['where is package.json?', [[findOf('.', "-name 'package.json'")]], ['- package.json']],
    ['find files with "and" in their names', [[findOf('.', "-name '*and*'")]], ['3 files', '- salt and pepper.txt']],
    ['find files ending in .rs', [[findOf('.', "-name '*.rs'")]], ['There are no files ending in .rs']],
    [
      'search for "TODO" in src',
      [[grepOf('TODO', 'src')]],
      ['2 lines in 2 files contain `TODO`', '- src/index.ts:3: `// TODO: more`', '- src/a.ts:1: `// TODO: x`'],
    ],
    ['grep TODO src', [[grepOf('TODO', 'src')]], ['2 lines']],
    ['search TODO ignoring case', [[grepOf('TODO', '.', 'i')]], ['2 lines']],
    ['which files contain main', [[grepOf('main', '.')]], ['- src/index.ts:2']],
    ['search src for main', [[grepOf('main', 'src')]], ['1 line in 1 file contains `main`']],
    ['where is `main` defined?', [[grepOf('main', '.')]], ['src/index.ts:2']],
    [`search for "it's" in src`, [[grepOf(`'it'\\''s'`, 'src')]], ["No line in `src` contains `it's`."]],
    ['does a.txt contain second?', [[readOf('a.txt')]], ['- a.txt:2: `second line`']],
  ])
})

describe('commands', () => {
  check([
    ['what time is it?', [[shellOf('date')]], ['It is Wed Mar  4 10:11:12 UTC 2026.']],
    ["what's today's date and the time?", [[shellOf('date')]], ['Wed Mar  4']],
    ['where am I?', [[shellOf('pwd')]], ['`/home/ada/project`']],
    ['run `pwd`', [[shellOf('pwd')]], ['`pwd` ran without an error (exit code 0):\n\n```\n/home/ada/project\n```']],
    ['run npm test', [[shellOf('npm test')]], ['`npm test` failed with exit code 127', 'npm: command not found']],
    ['execute ls -la', [[shellOf('ls -la')]], ['`ls -la` failed']],
    ['git status', [[shellOf('git status')]], ['`git status` failed']],
    ['run npm test and npm run lint', [[shellOf('npm test'), shellOf('npm run lint')]], ['`npm test` failed', '`npm run lint` failed']],
    ['run `echo salt and pepper`', [[shellOf('echo salt and pepper')]], ['`echo salt and pepper` failed']],
    ['run this:\n```\necho one\necho two\n```', [[shellOf('echo one\necho two')]], ['`echo one echo two` failed']],
    ['run ls in the src folder', [[shellOf('(cd src && ls)')]], ['failed']],
    ['run the tests', [[readOf('package.json')], [shellOf('npm test')]], ['`npm test` failed']],
    ['run the build script', [[readOf('package.json')], [shellOf('npm run build')]], ['`npm run build` failed']],
    ['run the deploy script', [[readOf('package.json')]], ['package.json has no script `deploy`; it has `test` and `build`.']],
    ['run pwd and tell me whether it passed', [[shellOf('pwd')]], ['It succeeded: the exit code is 0.']],
    [
      'copy a.txt to c.txt',
      [[shellOf("if [ -f c.txt ]; then echo 'c.txt exists already.'; false; else cp -R -- a.txt c.txt; fi")]],
      ['I could not copy `a.txt` to `c.txt`'],
    ],
    ['delete "salt and pepper.txt"', [[shellOf("rm -- 'salt and pepper.txt'")]], ['I could not delete `salt and pepper.txt`']],
    ['create a folder called docs', [[shellOf('mkdir -p -- docs')]], ['I could not create the folder `docs`']],
  ])
})

describe('several at once, and one after the other', () => {
  check([
    [
      'read a.txt and tell me how many words it has and whether it contains second',
      [[readOf('a.txt')]],
      ['`a.txt` has 4 words.', 'a.txt:2'],
    ],
    [
      'Read package.json. What is its name? How many dependencies does it have?',
      [[readOf('package.json')]],
      ['is `demo`', 'has 3 dependencies.'],
    ],
    [
      'read a.txt then list src, then tell me what time it is',
      [[readOf('a.txt')], [listOf('src')], [shellOf('date')]],
      [aText, '`src` has', 'It is Wed'],
    ],
    [
      'please do the following:\n- read a.txt\n- list src\n- run `pwd`',
      [[readOf('a.txt'), listOf('src')], [shellOf('pwd')]],
      [aText, '`src` has', '/home/ada'],
    ],
    ['1. list src\n2. count the lines of a.txt', [[listOf('src'), readOf('a.txt')]], ['`src` has', '`a.txt` has 3 lines.']],
    [
      'find all md files and summarise them',
      [[findOf('.', "-name '*.md'")], [readOf('README.md'), readOf('command-and-control.md')]],
      ['2 files', 'under 2 headings'],
    ],
    ['show the files in src and how many there are', [[listOf('src')]], ['That is 1 folder and 2 files.']],
    ['tell me the time and list src', [[shellOf('date'), listOf('src')]], ['It is Wed', '`src` has']],
  ])
})
