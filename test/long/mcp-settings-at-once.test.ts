import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestContext } from 'vitest'
import { lena, newFolder } from '../terminal/support/lena.ts'

type Place = { readonly cwd: string; readonly config: string; readonly env: Record<string, string> }

function place({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Place {
  const config = mkdtempSync(join(tmpdir(), 'lena-config-'))
  const cwd = newFolder()
  onTestFinished(() => {
    for (const folder of [config, cwd]) rmSync(folder, { recursive: true, force: true })
  })
  return { cwd, config, env: { LENA_CONFIG_DIR: config } }
}

const names = Array.from({ length: 5 }, (_, i) => `s${i}`)
const serversIn = (path: string): readonly string[] =>
  Object.keys((JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: object }).mcpServers).toSorted()

describe('five processes that change the servers of one file at the same time', { timeout: 120_000 }, () => {
  it('add one each, and remove one each, and none is lost', async (test) => {
    const { cwd, config, env } = place(test)
    const file = join(config, 'mcp.json')
    writeFileSync(file, JSON.stringify({ note: 'kept', mcpServers: { first: { command: 'first' } } }))
    const added = await Promise.all(names.map((name) => lena(test, ['mcp', 'add', name, '--', name], { cwd, env })))
    expect(added.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
    expect(serversIn(file)).toEqual(['first', ...names])
    const removed = await Promise.all(names.map((name) => lena(test, ['mcp', 'remove', name], { cwd, env })))
    expect(removed.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ note: 'kept', mcpServers: { first: { command: 'first' } } })
    // Nothing is left beside it.
    expect(readdirSync(config)).toEqual(['mcp.json'])
  })

  it("add to the project's file, and what they made of it is trusted", async (test) => {
    const { cwd, env } = place(test)
    const added = await Promise.all(names.map((name) => lena(test, ['mcp', 'add', name, '--scope', 'project', '--', name], { cwd, env })))
    expect(added.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
    expect(serversIn(join(cwd, '.mcp.json'))).toEqual(names)
    const { servers } = JSON.parse((await lena(test, ['mcp', '--output', 'json'], { cwd, env })).stdout) as {
      servers: readonly { readonly state: string }[]
    }
    expect(servers.map(({ state }) => state)).toEqual(names.map(() => 'used'))
  })
})

it('eight processes that change one setting each of the same file lose none', { timeout: 120_000 }, async (test) => {
  const { cwd, config, env } = place(test)
  const settings = [
    ['model', 'openai/gpt-5.4-mini'],
    ['limits.turns', '7'],
    ['sandbox', 'true'],
    ['sessions', 'false'],
    ['mcp.enabled', 'false'],
    ['mcp.off', '["a"]'],
    ['webSearch.provider', 'brave'],
    ['permissions.mode', 'plan'],
  ] as const
  const set = await Promise.all(settings.map(([name, value]) => lena(test, ['config', 'set', name, value], { cwd, env })))
  expect(set.map(({ code, stderr }) => [code, stderr])).toEqual(settings.map(() => [0, '']))
  expect(JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'))).toEqual({
    model: 'openai/gpt-5.4-mini',
    limits: { turns: 7 },
    sandbox: true,
    sessions: false,
    mcp: { enabled: false, off: ['a'] },
    webSearch: { provider: 'brave' },
    permissions: { mode: 'plan' },
  })
})
