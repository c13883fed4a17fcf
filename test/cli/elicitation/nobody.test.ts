import { expect, it } from 'vitest'
import { askAtTerminal } from '../../../src/cli/ask.ts'
import { elicitAtTerminal, elicitFromNobody } from '../../../src/cli/elicitation/at-terminal.ts'
import { Turns } from '../../../src/cli/elicitation/turns.ts'
import type { LineRead, ReadLineOptions } from '../../../src/cli/line-reader.ts'
import { Output } from '../../../src/cli/output.ts'
import { styleFor } from '../../../src/cli/style.ts'
import { jsonSchema, tool } from '../../../src/index.ts'
import type { McpElicitation } from '../../../src/mcp/index.ts'
import { Screen } from '../support/world.ts'

const question: McpElicitation = { mode: 'form', server: 'b\u001b[1m', message: 'Who\u0007?', requestedSchema: { type: 'object' } }
const page: McpElicitation = { mode: 'url', server: 'shop', message: 'Pay.', url: 'https://pay.example' }
const never = new AbortController().signal

/** A terminal at which a line is typed when the test says so. */
function terminal() {
  const screen = new Screen(true)
  const to = new Output(screen)
  const typing: ((read: LineRead) => void)[] = []
  const read = ({ prompt, signal }: ReadLineOptions): Promise<LineRead> =>
    new Promise((resolve) => {
      screen.write(prompt)
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true })
      typing.push(resolve)
    })
  const warnings: string[] = []
  const turns = new Turns()
  const desk = { reader: { read }, to, held: [to], style: styleFor(screen, { NO_COLOR: '1' }), interrupt: () => {} }
  const elicit = elicitAtTerminal({ ...desk, turns, warn: (text) => void warnings.push(text) })
  return { screen, desk, turns, elicit, warnings, type: (text: string) => typing.shift()!({ kind: 'line', text }) }
}

it('with nobody to ask all is declined, and it is said what', async () => {
  const warnings: string[] = []
  const elicit = elicitFromNobody((text) => void warnings.push(text))
  expect([await elicit(question, { signal: never }), await elicit(page, { signal: never })]).toEqual([
    { action: 'decline' },
    { action: 'decline' },
  ])
  expect(warnings).toEqual([
    'The MCP server "b\\x1b[1m" asked for something, and there is nobody to ask, so it was declined: Who\\x07?',
    'The MCP server "shop" wanted a page visited, and there is nobody to ask, so it was declined: Pay.',
  ])
})

it('while nothing is under way, a person at the prompt is not disturbed', async () => {
  const { elicit, warnings, screen } = terminal()
  expect(await elicit(question, { signal: never })).toEqual({ action: 'decline' })
  expect([warnings.length, screen.text]).toEqual([1, ''])
})

it.each(['the turn is cancelled', 'the turn is over', 'the server gives up'])('a question ends when %s', async (how) => {
  const { elicit, turns, screen } = terminal()
  const [cancelled, given] = [new AbortController(), new AbortController()]
  let asked: ReturnType<typeof elicit> | undefined
  await turns.during(cancelled.signal, async () => {
    asked = elicit(question, { signal: given.signal })
    await screen.shows('[c]ancel: ')
    if (how === 'the turn is cancelled') cancelled.abort()
    if (how === 'the server gives up') given.abort()
  })
  expect(await asked).toEqual({ action: 'cancel' })
  expect(turns.current).toBe(undefined)
})

it('questions are asked one after another, those for permission too, and one that is given up keeps none waiting', async () => {
  const { elicit, turns, screen, desk, type } = terminal()
  const given = new AbortController()
  await turns.during(never, async () => {
    const first = elicit(question, { signal: never })
    const second = elicit(page, { signal: given.signal })
    const shell = tool({ name: 'shell', description: 'Runs.', inputSchema: jsonSchema({ type: 'object' }), execute: () => 'done' })
    const third = askAtTerminal(desk)({ tool: shell, input: {}, reason: 'It may change something.', signal: never })
    await screen.shows('[c]ancel: ')
    given.abort()
    expect(await second).toEqual({ action: 'cancel' })
    expect([screen.text.includes('pay.example'), screen.text.includes('shell')]).toEqual([false, false])
    type('d')
    expect(await first).toEqual({ action: 'decline' })
    await screen.shows('[n]o: ')
    type('y')
    expect(await third).toBe(true)
  })
})
