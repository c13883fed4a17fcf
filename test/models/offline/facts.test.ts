import { describe, expect, it } from 'vitest'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'

/** The answer to a prompt about one file. */
const about = async (path: string, content: string, prompt = `summarise ${path}`): Promise<string> =>
  (await play(prompt, { tools: folderOf({ [path]: content }).basic })).answer

describe('summaries', () => {
  it('Markdown: what looks like a heading in code is none', async () => {
    expect(
      await about(
        'a.md',
        '---\ntitle: x\n---\n\n[![badge](b)](c)\n\nTitle\n=====\n\n- a list\n\nThe lead,\nin two lines.\n\n```sh\n# not a heading\n```\n\n## Second ##\n',
      ),
    ).toBe(
      '`a.md` is Markdown with 19 lines and 24 words, under 2 headings.\n\nIt begins: “The lead, in two lines.”\n\nIts headings:\n\n- Title\n  - Second',
    )
  })

  it('Markdown without headings', async () =>
    expect(await about('a.md', 'Just this.\n')).toBe(
      '`a.md` is Markdown with 1 line and 2 words, and no headings.\n\nIt begins: “Just this.”',
    ))

  it('JSON with comments', async () => {
    expect(
      await about(
        'tsconfig.json',
        '// how\n{ "compilerOptions": { "strict": true, /* ! */ "target": "es2023", }, "url": "http://x//y", "n": 3, "list": [1, 2], "none": {}, }\n',
      ),
    ).toBe(
      '`tsconfig.json` is a JSON object with 5 keys:\n\n- `compilerOptions`: 2 keys (`strict` and `target`)\n- `url`: `http://x//y`\n- `n`: 3\n- `list`: `1` and `2`\n- `none`: an empty object',
    )
  })

  it('JSON that is no object', async () => {
    expect(await about('a.json', '[{"a":1},{"a":2}]\n')).toBe('`a.json` is JSON: 2 items.')
    expect(await about('a.json', '{}')).toBe('`a.json` is an empty JSON object.')
    expect(await about('a.json', '{')).toMatch(/^`a\.json` should be JSON, but it cannot be parsed: /)
  })

  it('TypeScript', async () => {
    const source = [
      '/** Adds numbers. */',
      "import type { A } from './a.ts'",
      "import {\n  b,\n  c as d,\n} from 'b'",
      "import './side-effect.ts'",
      "/* import x from 'commented' */",
      'export function add(a: number, b: number): number {\n  return a + b\n}',
      'export const twice = (n: number): number => n * 2',
      'const inner = async <T>(x: T) => x',
      'export class Sum {}',
      'export type { A }',
      'export { inner as outer, type B }',
      "export * from './c.ts'",
      'interface Hidden { x: 1 }',
      'export default add',
    ].join('\n')
    expect(await about('src/add.ts', `${source}\n`)).toBe(
      [
        '`src/add.ts` is TypeScript with 19 lines. Its first comment says: “Adds numbers.” By its patterns, without understanding the code, it',
        '',
        '- imports 4 modules: `./a.ts`, `b`, `./side-effect.ts` and `./c.ts`',
        '- exports 8 names: `add`, `twice`, `Sum`, `A`, `outer`, `B`, `*` and `default`',
        '- defines 3 functions: `add`, `twice` and `inner`',
        '- defines 1 class: `Sum`',
        '- defines 1 type: `Hidden`',
      ].join('\n'),
    )
  })

  it('Python', async () => {
    expect(
      await about(
        'a.py',
        '"""Greets."""\nimport os\nfrom sys import argv\n\nclass Greeter:\n    def greet(self):\n        pass\n\nasync def main():\n    pass\n',
      ),
    ).toBe(
      '`a.py` is Python with 10 lines. Its first comment says: “Greets.” By its patterns, without understanding the code, it\n\n- imports 2 modules: `os` and `sys`\n- defines 2 functions: `greet` and `main`\n- defines 1 class: `Greeter`',
    )
  })

  it('code in which nothing is found', async () =>
    expect(await about('a.c', 'int x;\n')).toBe('`a.c` is C with 1 line. I found no imports, exports, functions or classes in it.'))

  it('plain text, CRLF and all', async () => {
    expect(await about('a.txt', 'One two.\r\nThree.\r\n\r\nMore.\r\n')).toBe(
      '`a.txt` has 4 lines, 4 words and 23 characters. It begins: “One two. Three.”',
    )
  })

  it('empty and blank', async () => {
    expect(await about('a.md', '')).toBe('`a.md` is empty.')
    expect(await about('a.md', ' \n')).toBe('`a.md` is blank.')
  })
})

describe('dependencies', () => {
  it.each([
    [
      'requirements.txt',
      '# web\nflask==3.0\n-r more.txt\nrequests>=2 # http\n',
      '`requirements.txt` names 2 dependencies: `flask==3.0` and `requests>=2`.',
    ],
    [
      'Cargo.toml',
      '[package]\nname = "x"\n[dependencies]\nserde = "1"\ntokio = { version = "1" }\n[features]\nf = []\n',
      '`Cargo.toml` names 2 dependencies: `serde` and `tokio`.',
    ],
    [
      'go.mod',
      'module x\nrequire a.b/c v1.0.0\nrequire (\n\td.e/f v2.0.0 // indirect\n)\n',
      '`go.mod` names 2 dependencies: `d.e/f v2.0.0` and `a.b/c v1.0.0`.',
    ],
    ['requirements.txt', '\n', '`requirements.txt` names no dependencies.'],
    ['a.ts', 'const a = 1\n', '`a.ts` imports nothing.'],
    [
      'package.json',
      '{"dependencies":{"a":"1"},"optionalDependencies":{"b":"2"},"peerDependencies":{"a":"*"}}',
      '`package.json` depends on 2 packages:\n\n- 1 dependency: `a` 1\n- no devDependencies\n- 1 peerDependency: `a` *\n- 1 optionalDependency: `b` 2',
    ],
    ['package.json', '[]', '`package.json` is not a JSON object, so it names no dependencies.'],
  ])('%s: %j', async (path, content, answer) => expect(await about(path, content, `what does ${path} depend on?`)).toBe(answer))
})

describe('values', () => {
  it.each([
    ['what is the target in tsconfig.json', '{"compilerOptions":{"target":"es2023"}}', 'The `target` in `tsconfig.json` is `es2023`.'],
    ['what is the "a.b.0" in tsconfig.json', '{"a":{"b":1}}', '`tsconfig.json` has no `a.b.0`.'],
    ['what is the "a.b" in tsconfig.json', '{"a":{"b":false}}', 'The `a.b` in `tsconfig.json` is false.'],
    ['what is the "a.b" in tsconfig.json', '{"a.b":1,"a":{"b":2}}', 'The `a.b` in `tsconfig.json` is 1.'],
    ['what is the "__proto__" in tsconfig.json', '{}', '`tsconfig.json` has no `__proto__`.'],
    ['what is the "toString" in tsconfig.json', '{}', '`tsconfig.json` has no `toString`.'],
    [
      'what does the include in tsconfig.json say',
      '{"include":["src"]}',
      'The `include` in `tsconfig.json`:\n\n```json\n[\n  "src"\n]\n```',
    ],
  ])('%s, %s', async (prompt, content, answer) => expect(await about('tsconfig.json', content, prompt)).toBe(answer))

  it('does not look into a file that it has seen in part', async () => {
    const { basic } = folderOf({})
    const tools = {
      ...basic,
      read_file: () => ({
        status: 'success' as const,
        text: '1\t{"version": "1"\n[Lines 1-1 of 9. 8 lines are left: go on with offset=2.]',
      }),
    }
    expect((await play('what version is in package.json', { tools })).answer).toMatch(
      /^Only 1 line of 9 could be read\. So I cannot look into `package\.json` as JSON\.$/,
    )
  })
})
