import { describe, expect, it } from 'vitest'
import { offline } from '../../../src/models/offline/index.ts'
import { text, textOf } from '../../../src/messages/content.ts'
import { folderOf } from './fake-tools.ts'
import { ask, play, requestOf } from './play.ts'
import { project } from './project.ts'

/** A prompt, the calls of each turn, and what the answer must say, where all tools are offered. */
type Row = readonly [prompt: string, turns: readonly (readonly string[])[], facts: readonly string[]]

const call = (tool: string, input: object): string => `${tool} ${JSON.stringify(input)}`

describe('with all tools', () => {
  it.each<Row>([
    ['find all .ts files in src', [[call('glob', { pattern: '**/*.ts', path: 'src' })]], ['- src/a.ts\n- src/index.ts']],
    ['how many ts files are there?', [[call('glob', { pattern: '**/*.ts' })]], ['I count 2 .ts files here']],
    ['search for "TODO" in src', [[call('grep', { pattern: 'TODO', path: 'src' })]], ['2 lines in 2 files contain `TODO`']],
    ['search for a.ts', [[call('grep', { pattern: 'a\\.ts' })]], ['src/index.ts']],
    [
      'replace "second" with "2nd" in a.txt',
      [[call('read_file', { path: 'a.txt' })], [call('edit_file', { path: 'a.txt', old: 'second', new: '2nd', all: true })]],
      ['I replaced `second` with `2nd` in `a.txt`, 1 time.'],
    ],
    [
      'change first to 1st in a.txt, then read a.txt',
      [
        [call('read_file', { path: 'a.txt' })],
        [call('edit_file', { path: 'a.txt', old: 'first', new: '1st', all: true })],
        [call('read_file', { path: 'a.txt' })],
      ],
      ['1st\nsecond line'],
    ],
    [
      'replace "zebra" with "x" in a.txt',
      [[call('read_file', { path: 'a.txt' })]],
      ['`a.txt` does not contain `zebra`, so I changed nothing.'],
    ],
    [
      'make a plan: read the code, write a test and run it',
      [[call('todo', { todo: ['read the code', 'write a test', 'run it'].map((step) => ({ text: step, status: 'pending' })) })]],
      ['The plan has 3 steps:\n\n- [ ] read the code\n- [ ] write a test\n- [ ] run it'],
    ],
    [
      'fetch https://a.example/page',
      [[call('web_fetch', { url: 'https://a.example/page' })]],
      ['`https://a.example/page`:\n\n```\nA page.\n```'],
    ],
    [
      'open https://nowhere.invalid',
      [[call('web_fetch', { url: 'https://nowhere.invalid' })]],
      ['I could not fetch `https://nowhere.invalid`: getaddrinfo ENOTFOUND'],
    ],
    ['search the web for node release dates', [[call('web_search', { query: 'node release dates' })]], ['1. A hit']],
    [
      'list src and read a.txt and count the lines of README.md',
      [[call('list_dir', { path: 'src' }), call('read_file', { path: 'a.txt' }), call('read_file', { path: 'README.md' })]],
      ['`src` has', '`a.txt` (3 lines)', '`README.md` has 7 lines.'],
    ],
  ])('%s', async (prompt, turns, facts) => {
    const played = await play(prompt, { tools: folderOf(project).all })
    expect(played.turns.map((calls) => calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`))).toEqual(turns)
    for (const fact of facts) expect(played.answer).toContain(fact)
    expect(played.answer).not.toMatch(/did not understand/)
  })

  it('says which tool it lacks', async () => {
    const { answer } = await play('fetch https://a.example/', { tools: folderOf(project).basic })
    expect(answer).toContain('To fetch `https://a.example/` I would need the tool `web_fetch`, and it is not offered here.')
  })

  it.each(['translate a.txt into French', 'write me a poem about the sea', 'why is the sky blue?', 'refactor src/a.ts', 'fix the bug'])(
    'says plainly what it cannot do: %s',
    async (prompt) => {
      const { turns, answer } = await play(prompt, { tools: folderOf(project).all })
      expect({ turns, says: /did not understand|cannot|is not a text/.test(answer) }).toEqual({ turns: [], says: true })
    },
  )
})

describe('notes of a conversation', () => {
  const notes = async (history: string, words = 100): Promise<string> => {
    const said = `${history}\n\n(End of the conversation. Write the notes now, in at most ${words} words.)`
    const message = await ask(offline(), requestOf([{ role: 'user', content: [text(said)] }], []))
    return textOf(message.content)
  }
  it('say what was asked and how the answers began, and nothing else', async () => {
    expect(
      await notes(
        '[user] read a.txt\n\n[assistant calls read_file] {"path":"a.txt"}\n\n[result: success] 1\tfirst\n\n[assistant] `a.txt` (3 lines):\nfirst\n\n[user] and\nb.txt',
      ),
    ).toBe('The user asked, oldest first:\n- read a.txt\n- and b.txt\nThe last answers began with:\n- `a.txt` (3 lines): first')
  })
  it('keep to the words that they may have', async () => {
    expect((await notes(`[user] ${'word '.repeat(500)}`, 20)).split(/\s+/).length).toBeLessThanOrEqual(21)
  })
  it('of nothing are that', async () => expect(await notes('')).toBe('Nothing was asked so far.'))
})
