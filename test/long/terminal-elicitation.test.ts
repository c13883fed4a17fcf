import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestContext } from 'vitest'
import { everything } from '../mcp/support/reference.ts'
import { hasTerminal, lena, newFolder } from '../terminal/support/lena.ts'
import type { StartOptions } from '../terminal/support/lena.ts'
import { onScreen } from '../terminal/support/screen.ts'
import type { OnScreen } from '../terminal/support/screen.ts'

/** A user with the reference server, and a model that calls one of its tools for each prompt. */
function asks(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  ...calls: readonly (readonly [tool: string, input?: object])[]
): StartOptions {
  const config = mkdtempSync(join(tmpdir(), 'lena-config-'))
  const cwd = newFolder()
  onTestFinished(() => {
    for (const folder of [config, cwd]) rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(join(config, 'mcp.json'), JSON.stringify({ mcpServers: { every: { command: process.execPath, args: [everything] } } }))
  const said = calls.map(([tool, input = {}]) => ({ name: `mcp__every__${tool}`, input }))
  const env = { LENA_CONFIG_DIR: config, LENA_TEST_CALLS: JSON.stringify(said) }
  return { script: 'calls', cwd, env }
}

/** Answers each prompt once it stands there with nothing typed. */
async function answers(
  { sees, type, child }: Pick<OnScreen, 'sees' | 'type' | 'child'>,
  given: readonly (readonly [prompt: string, typed: string])[],
) {
  // Each wait listens for its end.
  child.setMaxListeners(0)
  for (const [prompt, typed] of given) {
    await sees(new RegExp(`^ *${prompt.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')} *$`))
    type(`${typed}\r`)
  }
}

const permission = '[y]es / [a]lways / [n]o:'
const size = { columns: 140, rows: 200 }
const page = { url: 'https://pay.example/1?order=7', message: 'Pay for it.' }

describe.skipIf(!hasTerminal).concurrent('what an MCP server asks, in a terminal', { timeout: 120_000 }, () => {
  it('is a form: field by field, checked, shown, and sent', async (test) => {
    const screen = onScreen(test, ['fill it in'], { ...asks(test, ['trigger-elicitation-request']), ...size })
    await answers(screen, [
      [permission, 'y'],
      ['[a]nswer / [d]ecline / [c]ancel:', 'a'],
      ['text:', 'Ann'],
      ['yes or no [leave it out]:', 'y'],
      ['text [It was a dark and stormy night.]:', ''],
      ['an e-mail address [leave it out]:', 'nope'],
    ])
    await screen.sees(/^ {4}It must be an e-mail address\.$/)
    await answers(screen, [
      ['an e-mail address [leave it out]:', 'ann@example.com'],
      ['an address such as https://example.com [leave it out]:', ''],
      ['a date such as 2026-03-31 [leave it out]:', '2000-02-29'],
      ['a whole number, 1 to 100 [42]:', '7'],
      ['a number, 0 to 1000 [3.14]:', ''],
      ['1 to 6 [Monica]:', 'joey'],
      ['1 to 3 of them, with commas between [Guitar]:', '2, Bass'],
      ['1 to 3 [hero-1]:', '3'],
      ['1 to 3 of them, with commas between [fish-1]:', 'tuna'],
      ['1 to 5 [pet-1]:', 'Dogs'],
      ['[s]end / [e]dit / [d]ecline / [c]ancel:', 's'],
    ])
    expect((await screen.ended).code).toBe(0)
    const rows = screen.terminal.text
    const raw = rows.join('').replace(/^.*"action":/s, '{"action":')
    expect(rows).toContain('  every gets:')
    for (const row of [
      '    String: Ann',
      '    Boolean: true',
      '    Untitled Multiple Select Enum: Piano, Bass',
      '    Legacy Titled Single Select Enum: pet-2',
    ])
      expect(rows).toContain(row)
    expect(rows.join(' ')).toContain('User provided the requested information')
    expect([raw.includes('hero-3'), screen.terminal.unknown]).toEqual([true, []])
  })

  it('can be declined, and the task goes on', async (test) => {
    const screen = onScreen(test, ['fill it in'], { ...asks(test, ['trigger-elicitation-request']), ...size })
    await answers(screen, [
      [permission, 'y'],
      ['[a]nswer / [d]ecline / [c]ancel:', 'd'],
    ])
    expect((await screen.ended).code).toBe(0)
    expect(screen.terminal.text.join(' ')).toContain('User declined to provide the requested information')
  })

  it('is a page: its address and its host are shown, and the person is waited for', async (test) => {
    const screen = onScreen(test, ['pay'], { ...asks(test, ['trigger-url-elicitation', page]), ...size })
    await answers(screen, [
      [permission, 'y'],
      ['[y]es, I was there / [d]ecline / [c]ancel:', 'y'],
    ])
    expect((await screen.ended).code).toBe(0)
    const rows = screen.terminal.text
    const begin = rows.indexOf('? The MCP server every asks you:')
    expect(rows.slice(begin + 1, begin + 4)).toEqual([
      '  | Pay for it.',
      '    host: pay.example',
      '    page: https://pay.example/1?order=7',
    ])
    expect(rows.join(' ')).toContain('User completed the URL elicitation flow')
  })

  it('ends with Ctrl-C as the task does, and the terminal is as it was', async (test) => {
    const asking = asks(test, ['trigger-elicitation-request'])
    const around = 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code'
    const screen = onScreen(test, ['fill it in'], { ...asking, ...size, around })
    await answers(screen, [
      [permission, 'y'],
      ['[a]nswer / [d]ecline / [c]ancel:', 'a'],
    ])
    await screen.sees(/^ *text: *$/)
    screen.type('\u0003')
    expect((await screen.ended).code).toBe(130)
    const settings = ['before', 'after'].map((name) => readFileSync(join(asking.cwd!, name), 'utf8'))
    expect(settings[1]).toBe(settings[0])
  })

  it('does not keep a conversation: after Ctrl-C and after an answer there is the next prompt', async (test) => {
    const screen = onScreen(test, [], { ...asks(test, ['trigger-url-elicitation', page], ['trigger-elicitation-request']), ...size })
    await answers(screen, [
      ['>', 'pay'],
      [permission, 'a'],
    ])
    await screen.sees(/^ *\[y\]es, I was there \/ \[d\]ecline \/ \[c\]ancel: *$/)
    screen.type('\u0003')
    await answers(screen, [
      ['>', 'fill it in'],
      ['[y]es / [a]lways / [n]o:', 'y'],
      ['[a]nswer / [d]ecline / [c]ancel:', 'd'],
    ])
    await screen.sees(/The tool said: .*declined/)
    await answers(screen, [['>', '/exit']])
    expect((await screen.ended).code).toBe(0)
  })
})

describe.concurrent('what an MCP server asks with nobody there', { timeout: 120_000 }, () => {
  it.for([
    ['trigger-elicitation-request', {}, 'asked for something', 'Please provide inputs for the following fields:'],
    ['trigger-url-elicitation', page, 'wanted a page visited', 'Pay for it.'],
  ] as const)('is declined, and said: %s', async ([tool, input, what, message], test) => {
    const { code, stdout, stderr } = await lena(test, ['-p', '--allow', 'mcp__every__*', 'go on'], asks(test, [tool, input]))
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`The MCP server "every" ${what}, and there is nobody to ask, so it was declined: ${message}\n`) as string,
    ])
    expect(stdout).toMatch(/declined/)
  })
})
