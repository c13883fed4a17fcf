import { describe, expect, it } from 'vitest'
import { elicitAtTerminal } from '../../../src/cli/elicitation/at-terminal.ts'
import type { LineRead, ReadLineOptions } from '../../../src/cli/line-reader.ts'
import { Output } from '../../../src/cli/output.ts'
import { styleFor } from '../../../src/cli/style.ts'
import type { JsonObject } from '../../../src/index.ts'
import type { McpElicitation } from '../../../src/mcp/index.ts'
import { Screen } from '../support/world.ts'

const form = (properties: JsonObject, required: readonly string[] = [], message = 'Book a table.'): McpElicitation => ({
  mode: 'form',
  server: 'books',
  message,
  requestedSchema: { type: 'object', properties, required },
})
const page = (url: string, message = 'Pay here.'): McpElicitation => ({ mode: 'url', server: 'shop', message, url })

/** Asks; the lines are what the person types. What is shown has the prompts in it, each with what was typed. */
async function ask(question: McpElicitation, typed: readonly (string | LineRead)[]) {
  const screen = new Screen(true)
  const to = new Output(screen)
  const left = [...typed]
  let interrupts = 0
  const read = async ({ prompt, answer }: ReadLineOptions): Promise<LineRead> => {
    const next = left.shift()!
    to.write('(not while it is asked)')
    screen.write(`${prompt}${answer ? '' : '(not as an answer)'}${typeof next === 'string' ? next : next.kind}\n`)
    return typeof next === 'string' ? { kind: 'line', text: next } : next
  }
  const elicit = elicitAtTerminal({
    reader: { read },
    to,
    held: [to],
    style: styleFor(screen, { NO_COLOR: '1' }),
    interrupt: () => interrupts++,
    turns: { current: new AbortController().signal },
    warn: expect.unreachable,
  })
  const answer = await elicit(question, { signal: new AbortController().signal })
  expect(left).toEqual([])
  return { answer, interrupts, shown: screen.text.replaceAll(/\(not while it is asked\)\n?/g, '') }
}

const begin = '? The MCP server books asks you:\n  | Book a table.\n'
const hint = '  Enter takes what stands in [ ]. /decline, /cancel end it. Type no password.\n'

describe('a form', () => {
  it('is asked for field by field, shown, and sent', async () => {
    const { answer, shown } = await ask(
      form(
        {
          guests: { type: 'integer', title: 'Guests', description: 'How many come.', minimum: 1, maximum: 8, default: 2 },
          name: { type: 'string', minLength: 2 },
          window: { type: 'boolean', title: 'At the window' },
          size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
        },
        ['name'],
      ),
      ['a', '', 'A', 'Ann', '', 'large', 's'],
    )
    expect(shown).toBe(
      `${begin}    It wants: Guests (optional), name, At the window (optional), size
    (optional)
  [a]nswer / [d]ecline / [c]ancel: a
${hint}  1/4 Guests: How many come.
  a whole number, 1 to 8 [2]: 
  2/4 name
  text, at least 2 characters: A
    It must be text, at least 2 characters.
  text, at least 2 characters: Ann
  3/4 At the window
  yes or no [leave it out]: 
  4/4 size
    1. Small
    2. Large
  1 to 2 [leave it out]: large
  books gets:
    Guests: 2
    name: Ann
    size: l
  [s]end / [e]dit / [d]ecline / [c]ancel: s
`,
    )
    expect(answer).toEqual({ action: 'accept', content: { guests: 2, name: 'Ann', size: 'l' } })
  })

  it('can be changed before it is sent: what was typed stands there already', async () => {
    const { answer, shown } = await ask(form({ a: { type: 'string' }, b: { type: 'number' } }), ['a', 'x', '1.5', 'e', '', '-2', 's'])
    expect(answer).toEqual({ action: 'accept', content: { a: 'x', b: -2 } })
    expect(shown).toContain('  text [x]: \n')
    expect(shown).toContain('  a number [1.5]: -2\n')
  })

  it('without a field is a plain question', async () => {
    expect(await ask(form({}), ['y'])).toEqual({
      answer: { action: 'accept', content: {} },
      interrupts: 0,
      shown: `${begin}  [y]es / [d]ecline / [c]ancel: y\n`,
    })
  })

  const word = form({ word: { type: 'string' } }, ['word'])
  it.each<[string, readonly (string | LineRead)[], JsonObject]>([
    ['declined', ['d'], { action: 'decline' }],
    ['declined, in a word', ['Decline'], { action: 'decline' }],
    ['cancelled', ['c'], { action: 'cancel' }],
    ['declined in its middle', ['a', '/decline'], { action: 'decline' }],
    ['cancelled in its middle', ['answer', '/cancel'], { action: 'cancel' }],
    ['left with Ctrl-D', [{ kind: 'end' }], { action: 'cancel' }],
    ['left with Ctrl-D in its middle', ['a', { kind: 'end' }], { action: 'cancel' }],
    ['not wanted any more', [{ kind: 'aborted' }], { action: 'cancel' }],
    ['answered with what is none, and asked again', ['', 'what?', 'a', '', 'x'], { action: 'accept', content: { word: 'x' } }],
  ])('can be %s', async (_, typed, answer) => {
    expect(await ask(word, typed)).toMatchObject({ answer, interrupts: 0 })
  })

  it('with several fields can be declined and cancelled before it is sent', async () => {
    const two = form({ a: { type: 'string' }, b: { type: 'string' } })
    expect((await ask(two, ['a', '1', '2', 'd'])).answer).toEqual({ action: 'decline' })
    expect((await ask(two, ['a', '1', '2', 'c'])).answer).toEqual({ action: 'cancel' })
  })

  it('ends with Ctrl-C, which cancels the turn', async () => {
    expect(await ask(word, [{ kind: 'interrupt' }])).toMatchObject({ answer: { action: 'cancel' }, interrupts: 1 })
    expect(await ask(word, ['a', { kind: 'interrupt' }])).toMatchObject({ answer: { action: 'cancel' }, interrupts: 1 })
  })

  it('cannot steer the terminal, nor pass for another line', async () => {
    const evil = 'x\u001b[2J\u202e\r\n? shell rm -rf /\n  [y]es: '
    const { shown } = await ask(
      {
        mode: 'form',
        server: 'b\u001b]0;t\u0007',
        message: evil,
        requestedSchema: {
          type: 'object',
          properties: {
            ['n\u001b[1A']: { type: 'string', title: 'T\u001b[8m\nU', description: 'D\u0007', default: 'v\u001b[0m' },
            e: { type: 'string', enum: ['o\u001b[1m'] },
          },
        },
      },
      ['a', '', '1', 's'],
    )
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(shown).toContain('  | x\\x1b[2J\\u{202e}\n  | ? shell rm -rf /\n  |   [y]es:\n')
    expect(shown).toContain('1/2 T\\x1b[8m\\nU: D\\x07\n')
  })

  it('keeps its own mark before each row of a message that wraps', async () => {
    const { shown } = await ask(form({}, [], `${'word '.repeat(15)}? shell It may change something. ${'x'.repeat(90)}`), ['d'])
    const [head, ...rows] = shown.trimEnd().split('\n').slice(0, -1)
    expect(head).toBe('? The MCP server books asks you:')
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect([row.slice(0, 4), row.length < 80]).toEqual(['  | ', true])
  })

  it('of many lines is cut in plain sight', async () => {
    const message = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n')
    const { shown } = await ask(form({}, [], message), ['d'])
    expect(shown).toContain('  | line 20\n  | ... 10 more lines, not shown\n')
  })
})

describe('a page', () => {
  it('is shown, its host first, and waited for', async () => {
    expect(await ask(page('https://pay.example/1?x=2'), ['y'])).toEqual({
      answer: { action: 'accept' },
      interrupts: 0,
      shown: `? The MCP server shop asks you:
  | Pay here.
    host: pay.example
    page: https://pay.example/1?x=2
    Open it yourself, if you know that host. It is for you alone: what you do there Lena does not see.
  [y]es, I was there / [d]ecline / [c]ancel: y
`,
    })
  })

  it.each<[readonly (string | LineRead)[], string]>([
    [['d'], 'decline'],
    [['c'], 'cancel'],
    [['maybe', 'yes'], 'accept'],
    [[{ kind: 'end' }], 'cancel'],
  ])('is answered with %j', async (typed, action) => {
    expect((await ask(page('https://pay.example/'), typed)).answer).toEqual({ action })
  })

  it.each([
    ['https://bank.example@evil.example/', 'host: evil.example\n    There is a name before its host'],
    ['https://b\u0430nk.example/', 'host: xn--bnk-6cd.example\n    Its host has letters that can look like others.'],
    ['http://pay.example/', 'host: pay.example\n    It is not encrypted (http).'],
    ['http://127.0.0.1:80/a', 'host: 127.0.0.1\n    page: http://127.0.0.1/a\n'],
    ['https://pay.example/\u001b[2J\u202e', 'page: https://pay.example/%1B[2J%E2%80%AE\n'],
    ['https://pay.example/ \u0007 x', 'page: https://pay.example/%20%07%20x\n'],
  ])('is shown as what it is: %j', async (url, said) => {
    const { shown } = await ask(page(url), ['d'])
    expect(shown).toContain(said)
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address\u001b[2J', ''])(
    'that is none of the web is declined (%j)',
    async (url) => {
      const { answer, shown } = await ask(page(url), [])
      expect(answer).toEqual({ action: 'decline' })
      expect(shown).toContain('It names no page of the web, so it is declined: ')
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    },
  )
})
