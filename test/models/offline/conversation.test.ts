import { describe, expect, it } from 'vitest'
import { text } from '../../../src/messages/content.ts'
import { offline } from '../../../src/models/offline/index.ts'
import { folderOf } from './fake-tools.ts'
import { ask, play, requestOf } from './play.ts'
import { project } from './project.ts'

/** One prompt after the other, in one conversation. */
async function talk(prompts: readonly string[], files: Readonly<Record<string, string>> = project) {
  const folder = folderOf(files)
  let history: Awaited<ReturnType<typeof play>>['messages'] = []
  const played: Awaited<ReturnType<typeof play>>[] = []
  for (const prompt of prompts) {
    const one = await play(prompt, { tools: folder.basic, history })
    played.push(one)
    history = one.messages
  }
  return { folder, played, last: played.at(-1)! }
}

describe('a new prompt is a new plan', () => {
  it('reads again what was read before', async () => {
    const { last } = await talk(['read a.txt', 'read a.txt'])
    expect(last.turns).toEqual([[{ name: 'read_file', input: { path: 'a.txt' } }]])
  })

  it('counts only what came after it', async () => {
    const { last } = await talk(['read a.txt and list src', 'list src'])
    expect(last.turns).toEqual([[{ name: 'list_dir', input: { path: 'src' } }]])
    expect(last.answer).not.toContain('a.txt')
  })
})

describe('words that point back', () => {
  it.each<[first: string, second: string, answer: string]>([
    ['read a.txt', 'how many lines does it have?', '`a.txt` has 3 lines.'],
    ['describe package.json', 'what is its version?', 'The `version` in `package.json` is `1.2.3`.'],
    ['list src/util', 'how many files are there?', 'This folder has 7 files, besides 2 folders that I did not look into.'],
    ['list src/util', 'what is in there?', '`src/util` has 1 file:\n\n- b.js'],
  ])('%s / %s', async (first, second, answer) => expect((await talk([first, second])).last.answer).toBe(answer))

  it('knows the newest thing that was talked about', async () => {
    expect((await talk(['read a.txt', 'read README.md', 'hello', 'how many lines does it have?'])).last.answer).toBe(
      '`README.md` has 7 lines.',
    )
  })

  it('saves its last answer', async () => {
    const { folder } = await talk(['count the lines of a.txt', 'save the answer in out.txt'])
    expect(folder.files.get('out.txt')).toBe('`a.txt` has 3 lines.\n')
  })

  it('has nothing to save before there was an answer', async () => {
    expect(await play('save it in out.txt', { tools: folderOf(project).basic })).toMatchObject({
      turns: [],
      answer: 'I did not write `out.txt`, because there is nothing to write.',
    })
  })
})

describe('the request is all it has', () => {
  it('looks again at a file that it has changed', async () => {
    const { turns, answer } = await play('count the lines of a.txt, append "x" to a.txt, then count the lines of a.txt', {
      tools: folderOf(project).basic,
    })
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([['read_file'], ['write_file'], ['read_file']])
    expect(answer).toMatch(/^`a\.txt` has 3 lines\.[\s\S]*`a\.txt` has 4 lines\.$/)
  })

  it('goes on from results that another model asked for', async () => {
    const message = await ask(
      offline(),
      requestOf(
        [
          { role: 'user', content: [text('read package.json and list src')] },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'other', name: 'web_search', input: {} },
              { type: 'tool_use', id: 'list', name: 'list_dir', input: { path: 'src' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: 'other', status: 'success', content: [text('x')] },
              { type: 'tool_result', toolUseId: 'list', status: 'success', content: [text('a.ts (1 B)')] },
            ],
          },
        ],
        ['read_file', 'list_dir'],
      ),
    )
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'read_file', input: { path: 'package.json' } }])
  })

  it('asks anew for what was never answered', async () => {
    const message = await ask(
      offline(),
      requestOf(
        [
          { role: 'user', content: [text('list src')] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'list_dir', input: { path: 'src' } }] },
          { role: 'user', content: [{ type: 'tool_result', toolUseId: 'other', status: 'success', content: [text('x')] }] },
        ],
        ['list_dir'],
      ),
    )
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'list_dir' }])
  })

  it('takes a prompt behind results as the new one', async () => {
    const message = await ask(
      offline(),
      requestOf(
        [
          { role: 'user', content: [text('list src')] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'list_dir', input: { path: 'src' } }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: 'c', status: 'error', code: 'cancelled', content: [text('Cancelled.')] },
              text('read a.txt instead'),
            ],
          },
        ],
        ['list_dir', 'read_file'],
      ),
    )
    expect(message.content).toMatchObject([{ type: 'text' }])
    expect(message.stopReason).toBe('end_turn')
  })

  it('says that it cannot look at what came with the message', async () => {
    const message = await ask(
      offline(),
      requestOf(
        [
          {
            role: 'user',
            content: [text('what time is it'), { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } }],
          },
        ],
        [],
      ),
    )
    expect(message.content).toEqual([
      {
        type: 'text',
        text: 'To tell the time I would need the tool `shell`, and it is not offered here.\n\nI cannot look at the image or document that came with your message.',
      },
    ])
  })
})
