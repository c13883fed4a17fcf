import { chmod, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { lena, newHome } from '../support/world.ts'
import type { WorldOptions } from '../support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

const path = process.env['PATH'] ?? ''

async function findings(
  options: WorldOptions = {},
): Promise<{ readonly code: number; readonly ok: boolean; readonly findings: readonly Finding[] }> {
  const { code, stdout } = await lena(['doctor', '--output', 'json'], options)
  return { code, ...(JSON.parse(stdout) as { readonly ok: boolean; readonly findings: readonly Finding[] }) }
}
const about = (all: readonly Finding[], what: string): readonly Finding[] => all.filter((finding) => finding.about === what)

describe('lena doctor', () => {
  it('tells what is there, and that nothing keeps Lena from working', async () => {
    const home = newHome()
    const { code, stdout } = await lena(['doctor'], { home, env: { NO_COLOR: '1', PATH: path } })
    expect({ code, end: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, end: 'Nothing keeps Lena from working.' })
    expect(stdout).toContain(`ok Node: ${process.versions.node}\n`)
    expect(stdout).toContain(`ok settings: ${join(home, 'config')} (made when it is needed)\n`)
    expect(stdout).toContain('- keys: none is set\n- local servers: none answers\nok model: offline is used, as nothing else is there\n')
  })

  it('says that a key is set, and nothing of what it is; nor the password of a proxy', async () => {
    const env = {
      PATH: path,
      OPENAI_API_KEY: 'sk-very-secret',
      HTTPS_PROXY: 'http://me:pass-word@proxy.example:3128',
      NO_PROXY: 'localhost',
    }
    const told = await findings({ env })
    expect(about(told.findings, 'keys')).toEqual([{ state: 'good', about: 'keys', said: 'OPENAI_API_KEY set' }])
    expect(about(told.findings, 'proxy')).toEqual([
      { state: 'good', about: 'proxy', said: 'HTTPS_PROXY proxy.example:3128, NO_PROXY localhost' },
    ])
    expect(JSON.stringify(told)).not.toMatch(/secret|pass-word/)
  })

  it('goes without programs that are not there', async () => {
    const told = await findings({ env: { PATH: newHome() } })
    expect({ code: told.code, ok: told.ok, bash: about(told.findings, 'bash'), git: about(told.findings, 'git') }).toEqual({
      code: 0,
      ok: true,
      bash: [{ state: 'note', about: 'bash', said: 'is not found: commands run in another shell' }],
      git: [{ state: 'note', about: 'git', said: 'is not found' }],
    })
  })

  it('tries the sandbox that the settings ask for', async () => {
    const home = newHome()
    await mkdir(join(home, 'config'))
    await writeFile(join(home, 'config', 'config.json'), '{"sandbox":true}')
    const bin = newHome()
    await symlink('/bin/bash', join(bin, 'bash'))
    const told = await findings({ home, env: { PATH: bin } })
    expect({ code: told.code, sandbox: about(told.findings, 'sandbox') }).toEqual({
      code: 1,
      sandbox: [
        { state: 'bad', about: 'sandbox', said: expect.stringMatching(/^Commands run in a sandbox only, and .* Nothing was run\./) },
      ],
    })
    expect(about((await findings()).findings, 'sandbox')).toEqual([])
  })

  it('names the fault of a file of settings, with exit code 1', async () => {
    const home = newHome()
    await mkdir(join(home, 'config'))
    await writeFile(join(home, 'config', 'config.json'), '{"limits":{"turns":0}}')
    const told = await findings({ home })
    expect({ code: told.code, settings: about(told.findings, 'settings').filter(({ state }) => state === 'bad') }).toEqual({
      code: 1,
      settings: [
        {
          state: 'bad',
          about: 'settings',
          said: `${join(home, 'config', 'config.json')}: limits.turns must be a whole number from 1, got 0.`,
        },
      ],
    })
  })

  it.skipIf(process.getuid?.() === 0)('says where nothing can be written', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'lena-doctor-')))
    await chmod(folder, 0o500)
    const told = await findings({ env: { PATH: path, LENA_STATE_DIR: join(folder, 'state') } })
    expect(about(told.findings, 'sessions')).toEqual([
      { state: 'note', about: 'sessions', said: `${join(folder, 'state')}: ${folder} cannot be written to` },
    ])
  })

  it('names servers of models that answer, and the model that is used', async () => {
    const servers = [{ name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }] as const
    const told = await findings({ servers, env: { PATH: path } })
    expect([...about(told.findings, 'local servers'), ...about(told.findings, 'model')]).toEqual([
      { state: 'good', about: 'local servers', said: 'ollama at http://127.0.0.1:11434/v1' },
      { state: 'good', about: 'model', said: 'ollama/qwen3:8b is used' },
    ])
  })
})
