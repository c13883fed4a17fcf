import { mkdtemp, readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { slashCommands, slashCompletions, slashIn } from '../../../src/cli/slash/index.ts'
import { rememberedPath } from '../../../src/cli/remembered-rules.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import type { ScriptStep } from '../../../src/testing/index.ts'
import { newHome, world } from '../support/world.ts'
import type { World, WorldOptions } from '../support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Says how many messages it was sent, and the newest prompt. */
const echo: ScriptStep = ({ messages }) => ({
  text: `${messages.length}: ${messages
    .at(-1)!
    .content.map((block) => (block.type === 'text' ? block.text : block.type))
    .join('|')}`,
})

type Conversation = World & {
  /** Types a line, and waits until it shows what is expected. */
  says(line: string, shown: string): Promise<void>
  leave(): Promise<number>
}

async function conversation(options: WorldOptions = {}): Promise<Conversation> {
  const cwd = options.cwd ?? (await realpath(await mkdtemp(join(tmpdir(), 'lena-slash-'))))
  const at = world({
    stdin: 'terminal',
    model: scriptedModel(echo, echo, echo),
    cwd,
    ids: 'random',
    sessionIds: ['2aaaaa', '3bbbbb'],
    ...options,
  })
  const running = at.run()
  await at.stdout.shows('> ')
  return {
    ...at,
    async says(line, shown) {
      const before = (at.stdout.text + at.stderr.text).length
      at.type(`${line}\r`)
      // Somewhere behind what was there: the prompt comes again when it is done.
      const screen = (): string => at.stdout.text + at.stderr.text
      const times = screen().split(shown).length - 1
      await Promise.race([
        at.stdout.shows(shown, at.stdout.text.split(shown).length - 1 + 1),
        at.stderr.shows(shown, at.stderr.text.split(shown).length - 1 + 1),
      ])
      expect(screen().length).toBeGreaterThan(before)
      expect(screen().split(shown).length - 1).toBeGreaterThan(times)
    },
    async leave() {
      at.type('/exit\r')
      return await running
    },
  }
}

describe('a line with a slash', () => {
  it.each<[string, ReturnType<typeof slashIn>]>([
    ['/help', { name: 'help', argument: '' }],
    ['/Model  openai/gpt ', { name: 'model', argument: 'openai/gpt' }],
    ['/', { name: '', argument: '' }],
    ['/etc/hosts is what?', undefined],
    ['/usr/bin', undefined],
    ['a /help', undefined],
  ])('%s', (line, expected) => expect(slashIn(line)).toEqual(expected))

  it.each<[string, readonly string[]]>([
    ['/co', ['/compact', '/cost']],
    ['/permissions pl', ['/permissions plan']],
    ['/model off', ['/model offline']],
    ['/exit now', []],
    ['co', []],
  ])('%s may become %j', (line, expected) => expect(slashCompletions(line)).toEqual(expected))
})

describe('in a conversation', () => {
  it('/help names all of them', async () => {
    const at = await conversation()
    await at.says('/help', '/exit')
    for (const { name } of slashCommands) expect(at.stdout.text).toContain(`  /${name}`)
    expect(await at.leave()).toBe(0)
  })

  it('one that there is not has a near name, and an argument that is not taken is refused', async () => {
    const at = await conversation()
    await at.says('/hlep', 'lena: There is no /hlep. Did you mean /help? /help lists what there is.')
    await at.says('/cost much', 'lena: /cost takes no argument, got "much".')
    expect(await at.leave()).toBe(0)
  })

  it('/permissions shows and changes what runs', async () => {
    const at = await conversation({
      model: scriptedModel({ calls: [{ name: 'shell', input: { command: 'touch made' } }] }, { text: 'Done.' }),
    })
    await at.says('/permissions', 'Mode default. There are no rules.')
    await at.says('/permissions plna', 'lena: /permissions does not understand "plna".')
    await at.says('/permissions deny shell(rm *)', '  deny shell(rm *)')
    await at.says('/permissions bypass', 'Mode bypass.')
    await at.says('go', 'Done.')
    expect(at.stdout.text).not.toContain('[y]es')
    expect(await at.leave()).toBe(0)
  })

  it('what is answered with "always" is remembered for the folder, and can be forgotten', async () => {
    const home = newHome()
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'lena-slash-')))
    const touches: ScriptStep = { calls: [{ name: 'shell', input: { command: 'touch made' } }] }
    const at = await conversation({ home, cwd, model: scriptedModel(touches, { text: 'Done.' }) })
    at.type('go\r')
    await at.stdout.shows('[a]lways')
    at.type('a\r')
    await at.stdout.shows('Done.')
    expect(await at.leave()).toBe(0)
    expect(JSON.parse(await readFile(rememberedPath(at.io, cwd), 'utf8'))).toEqual({
      workspace: cwd,
      rules: [{ decision: 'allow', tool: 'shell', pattern: 'touch made' }],
    })
    const again = await conversation({ home, cwd, model: scriptedModel(touches, { text: 'Done again.' }), sessionIds: ['4ccccc'] })
    await again.says('go', 'Done again.')
    expect(again.stdout.text).not.toContain('[a]lways')
    await again.says('/permissions', '1 of them answered with "always"')
    await again.says('/permissions forget', 'is forgotten')
    expect(await again.leave()).toBe(0)
    await expect(readFile(rememberedPath(at.io, cwd))).rejects.toThrow('ENOENT')
  })

  it('/clear begins anew, /sessions lists and goes back', async () => {
    const at = await conversation()
    await at.says('one', '1: one')
    await at.says('/clear', 'A new conversation. The old one: /sessions 2aaaaa')
    await at.says('two', '1: two')
    await at.says('/sessions', 'This one is 3bbbbb.')
    await at.says('/sessions 2', 'Session 2aaaaa: one')
    await at.says('three', '3: three')
    await at.says('/sessions 9', 'lena: There is no session "9" in this folder.')
    expect(await at.leave()).toBe(0)
  })

  it('/model shows and changes the model, and one that there is not leaves all as it was', async () => {
    const at = await conversation({ model: undefined, env: { NO_COLOR: '1', LENA_MODEL: 'offline' } })
    await at.says('/model', 'Model offline (LENA_MODEL).')
    await at.says('/model nobody/x', 'lena: There is no model "nobody/x".')
    await at.says('/model', 'Model offline (LENA_MODEL).')
    await at.says('/model offline', 'Model offline (--model).')
    expect(await at.leave()).toBe(0)
  })

  it('/compact shortens the conversation in place, and says by how much', async () => {
    const long = 'a long answer '.repeat(200)
    const at = await conversation({
      model: scriptedModel(...Array.from({ length: 8 }, () => ({ text: long })), { text: 'Notes: all is well.' }, echo),
    })
    await at.says('/compact', 'There is nothing to shorten')
    for (let i = 1; i <= 8; i++) await at.says(`prompt ${i}`, 'a long answer')
    await at.says('/compact the names', 'The conversation had about ')
    expect(at.stdout.text).toMatch(/had about ([\d,]+) tokens, now about [\d,]+ tokens\./)
    expect(await at.leave()).toBe(0)
  })

  it('/cost tells what was used, /tools what there is, /mcp that there is none', async () => {
    const at = await conversation()
    await at.says('/cost', 'Nothing was used yet.')
    await at.says('one', '1: one')
    await at.says('/cost', 'scripted/model: 1 answer, 10 tokens in, 5 out; its prices are not known.')
    await at.says('/tools', 'read_file')
    await at.says('/mcp', 'No MCP server is in use.')
    expect(await at.leave()).toBe(0)
  })

  it('--continue goes on with the last one, and says so', async () => {
    const home = newHome()
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'lena-slash-')))
    const first = await conversation({ home, cwd })
    await first.says('one', '1: one')
    expect(await first.leave()).toBe(0)
    const at = world({ stdin: 'terminal', model: scriptedModel(echo), home, cwd, ids: 'random' })
    const running = at.run('-c')
    await at.stdout.shows('Going on with: one (2 messages)')
    at.type('two\r')
    await at.stdout.shows('3: two')
    at.type('/exit\r')
    expect(await running).toBe(0)
  })
})
