import { describe, expect, it } from 'vitest'
import type { LineRead } from '../../../src/cli/line-reader.ts'
import { Output } from '../../../src/cli/output.ts'
import { styleFor } from '../../../src/cli/style.ts'
import { askTrustAtTerminal } from '../../../src/cli/trust/ask-trust.ts'
import type { TrustAnswer, TrustQuestion } from '../../../src/cli/trust/ask-trust.ts'
import { Screen } from '../support/world.ts'

const question: TrustQuestion = {
  file: { path: '/work/x\u001b[2J/.mcp.json' },
  does: 'starts these MCP servers',
  lines: ['files: npx server', 'docs: https://example.com/'],
  hasChanged: false,
  signal: new AbortController().signal,
}

type Asked = {
  readonly answer: TrustAnswer
  readonly screen: string
  readonly prompts: readonly string[]
  readonly interrupts: number
}

/** What comes of the question when this is typed. */
async function ask(typed: readonly (string | LineRead)[], given: Partial<TrustQuestion> = {}): Promise<Asked> {
  const screen = new Screen(true)
  const to = new Output(screen)
  const prompts: string[] = []
  const lines = [...typed]
  let interrupts = 0
  const answer = await askTrustAtTerminal({
    reader: {
      read: async ({ prompt, answer }) => {
        expect(answer).toBe(true)
        prompts.push(prompt)
        const next = lines.shift()!
        return typeof next === 'string' ? { kind: 'line', text: next } : next
      },
    },
    to,
    held: [to],
    style: styleFor(screen, { NO_COLOR: '1' }),
    interrupt: () => void interrupts++,
  })({ ...question, ...given })
  return { answer, screen: screen.text, prompts, interrupts }
}

describe('the question whether a file is trusted', () => {
  it('shows what the file would do, and takes no answer but one of its own', async () => {
    expect(await ask(['', 'sure', 'y'])).toEqual({
      answer: 'always',
      screen:
        '? /work/x\\x1b[2J/.mcp.json starts these MCP servers. It came with the folder.\n    files: npx server\n    docs: https://example.com/\n',
      prompts: ['  Trust it? [y]es, until it changes / [o]nce / [n]o: ', '  Please answer y, o or n: ', '  Please answer y, o or n: '],
      interrupts: 0,
    })
  })

  const answers: readonly [typed: string, answer: TrustAnswer][] = [
    ['YES', 'always'],
    ['o', 'once'],
    [' once ', 'once'],
    ['n', 'no'],
    ['No', 'no'],
  ]
  it.each(answers)('takes %j', async (typed, answer) => {
    expect((await ask([typed])).answer).toBe(answer)
  })

  it('is answered with no by whoever leaves, and Ctrl-C does what it does', async () => {
    const ends: readonly LineRead[] = [{ kind: 'end' }, { kind: 'aborted' }, { kind: 'interrupt' }]
    const asked = await Promise.all(ends.map((end) => ask([end])))
    expect(asked.map(({ answer, interrupts }) => [answer, interrupts])).toEqual([
      ['no', 0],
      ['no', 0],
      ['no', 1],
    ])
  })

  it('says that a file has changed, and how much is not shown', async () => {
    const lines = Array.from({ length: 203 }, (_, n) => `line ${n}`)
    const { screen } = await ask(['n'], { hasChanged: true, lines })
    expect(screen).toContain('It came with the folder. It has changed since you trusted it.\n')
    expect(screen.split('\n').slice(-4)).toEqual(['    line 198', '    line 199', '    ... 3 more lines, not shown', ''])
  })
})
