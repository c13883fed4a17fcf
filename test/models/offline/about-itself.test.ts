import { describe, expect, it } from 'vitest'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project } from './project.ts'

const { basic } = folderOf(project)
const answerTo = async (prompt: string, tools: Parameters<typeof play>[1] = { tools: basic }): Promise<string> =>
  (await play(prompt, tools)).answer

const whatItIs = "I am Lena's built-in offline model: a small set of rules, not a language model."
const howToGetMore = 'set a key such as `OPENAI_API_KEY` in the environment, or start Lena with `--model provider/name`'

describe('what it says of itself', () => {
  it.each([
    'help',
    'Who are you?',
    'what can you do',
    "what can't you do?",
    'are you a real model?',
    'are you ChatGPT',
    'which model are you?',
    'hello',
    'Hi there!',
    'good morning, Lena',
    '?',
    '',
  ])('%j', async (prompt) => {
    const { turns, answer } = await play(prompt, { tools: basic })
    expect(turns).toEqual([])
    expect(answer).toContain(whatItIs)
    expect(answer).toContain('I cannot reason, chat, or write code or texts.')
    expect(answer).toContain(howToGetMore)
    expect(answer).toContain('“read package.json”')
    expect(answer).toContain('“run `npm test`”')
  })

  it('greets back', async () => expect(await answerTo('hello')).toMatch(/^Hello! I am Lena's built-in offline model/))

  it('takes thanks', async () => expect(await answerTo('thanks!')).toBe('You are welcome. Say `help` to see what I can do.'))

  it.each(['how do I get a real model?', 'how can I use another model', 'how to set an API key'])('%s', async (prompt) =>
    expect(await answerTo(prompt)).toContain(howToGetMore),
  )

  it('offers only what the tools allow', async () => {
    const answer = await answerTo('help', { tools: { read_file: basic['read_file']! } })
    expect(answer).toContain('“read package.json”')
    expect(answer).not.toMatch(/npm test|write "hello"|list the files/)
  })

  it('says that it can do nothing without tools', async () =>
    expect(await answerTo('help', {})).toContain('No tools are offered here, so there is nothing that I could do'))

  it('says it when it knows none of the tools', async () => {
    expect(await answerTo('help', { tools: { weather: () => ({ status: 'success', text: '' }) } })).toContain(
      'None of the tools that I know is offered here',
    )
  })
})

describe('what it does not understand', () => {
  it.each([
    'tell me a joke',
    'what is 2 + 2',
    'why is the sky blue?',
    'refactor src/a.ts',
    'translate README.md into German',
    'what do you think about src/a.ts?',
    'explain recursion',
    'read me a story',
    'which is the largest file in src?',
    'list src only',
    'Lies bitte die Datei README.md',
    '你好',
    'create a file',
    'delete everything',
  ])('%s', async (prompt) => {
    const { turns, answer } = await play(prompt, { tools: basic })
    expect(turns).toEqual([])
    expect(answer).toMatch(/^I did not understand “/)
    expect(answer).toContain(prompt.replace(/\?$/, ''))
    expect(answer).toContain(whatItIs)
    expect(answer).toContain('You can ask me, for example:')
    expect(answer).toContain(howToGetMore)
  })

  it('does what it understands, and names the rest', async () => {
    const { turns, answer } = await play('read a.txt and make me a sandwich', { tools: basic })
    expect(turns).toEqual([[{ name: 'read_file', input: { path: 'a.txt' } }]])
    expect(answer).toMatch(
      /^`a\.txt` \(3 lines\)[\s\S]*I did not understand “make me a sandwich”, so I left that out\. I am the built-in offline model/,
    )
  })

  it('finds the part that it understands in a sentence', async () => {
    const { turns, answer } = await play('list src and sing a song', { tools: basic })
    expect(turns).toEqual([[{ name: 'list_dir', input: { path: 'src' } }]])
    expect(answer).toContain('I did not understand “sing a song”')
  })

  it('names words that it left out', async () => {
    expect(await answerTo('list the files in src sorted by size')).toMatch(
      /index\.ts\n\n\(I did not understand “sorted by size” and left it out\.\)$/,
    )
  })

  it('does not repeat a long text', async () => {
    const answer = await answerTo('Lorem ipsum dolor sit amet. '.repeat(300))
    expect(answer.length).toBeLessThan(3000)
    expect(answer).toMatch(/^I did not understand this\./)
  })
})
