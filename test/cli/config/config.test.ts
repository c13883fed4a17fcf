import { mkdir, mkdtemp, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { jsonSchema } from '../../../src/index.ts'
import { loadSettings } from '../../../src/cli/config/load-settings.ts'
import { configSchema } from '../../../src/cli/config/schema.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import { lena, newHome, world } from '../support/world.ts'
import type { Ran } from '../support/world.ts'
import schemaFile from '../../../docs/config.schema.json' with { type: 'json' }

// The first run loads all that a task needs.
vi.setConfig({ testTimeout: 60_000 })

type Place = { readonly home: string; readonly cwd: string; readonly user: string; readonly project: string }

async function place(files: { readonly user?: unknown; readonly project?: unknown } = {}): Promise<Place> {
  const home = newHome()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'lena-config-')))
  const paths = { user: join(home, 'config', 'config.json'), project: join(cwd, '.lena', 'config.json') }
  for (const name of ['user', 'project'] as const) {
    await mkdir(dirname(paths[name]), { recursive: true })
    const content = files[name]
    if (content !== undefined) await writeFile(paths[name], typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { home, cwd, ...paths }
}

const env = { NO_COLOR: '1' }
const run = async ({ home, cwd }: Place, ...argv: string[]): Promise<Ran> => await lena(argv, { home, cwd, env })
const trusted = async (at: Place): Promise<Place> => {
  expect((await run(at, 'config', 'trust')).code).toBe(0)
  return at
}
/** The settings that count, by their names. */
async function values({ home, cwd }: Place, options: object = {}, more: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const settings = await loadSettings(world({ home, cwd, env: { ...env, ...more } }).io, cwd, {
    options: { model: undefined, mode: undefined, maxTurns: undefined, allow: [], deny: [], ...options },
  })
  return settings.values
}

describe('which setting counts', () => {
  const all = { user: { model: 'user/m', limits: { turns: 50 } }, project: { model: 'project/m', limits: { turns: 40 } } }

  it.each<[string, object, Record<string, string>, boolean, object]>([
    [
      'an option, before all',
      { model: 'option/m', maxTurns: 3 },
      { LENA_MODEL: 'env/m', LENA_MAX_TURNS: '5' },
      true,
      { model: 'option/m', 'limits.turns': 3 },
    ],
    ['a variable, before the files', {}, { LENA_MODEL: 'env/m', LENA_MAX_TURNS: '5' }, true, { model: 'env/m', 'limits.turns': 5 }],
    ['the project, once it is trusted', {}, {}, true, { model: 'project/m', 'limits.turns': 40 }],
    ['the user, before a project that is not trusted, but for what takes away', {}, {}, false, { model: 'user/m', 'limits.turns': 40 }],
  ])('%s', async (_, options, variables, isTrusted, expected) => {
    const at = await place(all)
    if (isTrusted) await trusted(at)
    expect(await values(at, options, variables)).toMatchObject(expected)
  })

  it('lists are put together, and rules of the command line go first', async () => {
    const at = await trusted(
      await place({
        user: { permissions: { rules: ['allow shell(ls)'] }, tools: { off: ['shell'] } },
        project: { permissions: { rules: ['deny write_file'] }, tools: { off: ['todo'] } },
      }),
    )
    expect(await values(at, { allow: ['grep'], deny: ['glob'] })).toMatchObject({
      'permissions.rules': ['deny glob', 'allow grep', 'deny write_file', 'allow shell(ls)'],
      'tools.off': ['todo', 'shell'],
    })
  })

  it('of a project that is not trusted only what takes away, and it is told', async () => {
    const at = await place({
      project: {
        model: 'evil/m',
        permissions: { mode: 'accept_edits', rules: ['allow shell', 'deny shell(rm *)', 'ask read_file'] },
        limits: { turns: 9999 },
        tools: { on: ['shell'], off: ['web_fetch'] },
        mcp: { enabled: false },
        webSearch: { provider: 'brave' },
        sandbox: true,
        sessions: false,
      },
    })
    expect(await values(at)).toMatchObject({
      model: undefined,
      'permissions.mode': 'default',
      'permissions.rules': ['deny shell(rm *)', 'ask read_file'],
      'limits.turns': 200,
      'tools.on': undefined,
      'tools.off': ['web_fetch'],
      'mcp.enabled': false,
      'webSearch.provider': undefined,
      sandbox: true,
      sessions: true,
    })
    const { stderr } = await lena(['-p', 'x'], { home: at.home, cwd: at.cwd, model: scriptedModel({ text: 'Hi.' }) })
    expect(stderr).toBe(
      `! ${at.project}: webSearch.provider, sessions are left out: a project does not decide that.\n` +
        `! ${at.project}: model, permissions.mode, permissions.rules, limits.turns, tools.on are left out: the file is not trusted. \`lena config trust\` trusts it as it is now.\n`,
    )
  })

  it('trust is gone when the file changes, and no project has everything run', async () => {
    const at = await trusted(await place({ project: { permissions: { mode: 'accept_edits' } } }))
    expect(await values(at)).toMatchObject({ 'permissions.mode': 'accept_edits' })
    await writeFile(at.project, '{"permissions":{"mode":"accept_edits"},"limits":{}}')
    expect(await values(at)).toMatchObject({ 'permissions.mode': 'default' })
    await writeFile(at.project, '{"permissions":{"mode":"bypass"}}')
    expect(await values(await trusted(at))).toMatchObject({ 'permissions.mode': 'default' })
  })

  it('a narrower mode of the project counts at once', async () => {
    expect(
      await values(await place({ user: { permissions: { mode: 'accept_edits' } }, project: { permissions: { mode: 'plan' } } })),
    ).toMatchObject({
      'permissions.mode': 'plan',
    })
  })

  it('the nearest file of the project, up to the root of its repository', async () => {
    const at = await trusted(await place({ project: { limits: { turns: 7 } } }))
    await mkdir(join(at.cwd, '.git'))
    await mkdir(join(at.cwd, 'a', 'b'), { recursive: true })
    expect((await run({ ...at, cwd: join(at.cwd, 'a', 'b') }, 'config', 'get', 'limits.turns')).stdout).toBe('7\n')
    expect((await run({ ...at, cwd: join(at.cwd, 'a', 'b') }, 'config', 'path', '--project')).stdout).toBe(`${at.project}\n`)
  })
})

describe('what is wrong is told with the file, the key, what was expected and what came', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'is no JSON: '],
    ['no object', '[1]', 'must hold an object such as { "model": "offline" }, got [1].'],
    ['a wrong type', { limits: { turns: 'many' } }, 'limits.turns must be a whole number from 1, got "many".'],
    ['a group that is none', { limits: 3 }, 'limits must be an object, got 3.'],
    [
      'a wrong choice',
      { permissions: { mode: 'plam' } },
      'permissions.mode must be one of "default", "plan", "accept_edits", "bypass", got "plam". Did you mean plan?',
    ],
    ['a wrong item', { tools: { off: ['a', 1] } }, 'tools.off must be a list of texts, got ["a",1].'],
    [
      'a rule that is none',
      { permissions: { rules: ['alow shell'] } },
      'permissions.rules: The rule "alow shell" must say allow, ask or deny. Did you mean "allow"?',
    ],
  ])('%s', async (_, content, message) => {
    const at = await place({ user: content })
    const { code, stdout, stderr } = await run(at, '-p', 'x')
    expect({ code, stdout, has: stderr.includes(`lena: The settings cannot be used. ${at.user}: ${message}`), stderr }).toEqual({
      code: 2,
      stdout: '',
      has: true,
      stderr,
    })
    expect((await run(at, 'config')).stdout).toContain(`! ${at.user}: ${message}`)
  })

  it('what is not known is told, and does not matter', async () => {
    const at = await place({ user: { modle: 'x', permissions: { moed: 'plan' } } })
    const { code, stderr } = await lena(['-p', 'x'], { home: at.home, cwd: at.cwd, model: scriptedModel({ text: 'Hi.' }) })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `! ${at.user}: there is no setting modle, it is not used. Did you mean model?\n! ${at.user}: there is no setting permissions.moed, it is not used. Did you mean permissions.mode?\n`,
    })
  })

  it('a variable, and a rule of the command line', async () => {
    const at = await place()
    const { stderr } = await lena(['-p', 'x'], { home: at.home, cwd: at.cwd, env: { ...env, LENA_MAX_TURNS: 'many' } })
    expect(stderr).toBe(
      'lena: The settings cannot be used. LENA_MAX_TURNS: limits.turns must be a whole number from 1, got "many". `lena config` shows them.\n',
    )
    expect(await run(at, '-p', '--allow', 'shell(', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--allow, --deny: permissions\.rules: The rule "allow shell\(" cannot be read/),
    })
  })
})

describe('lena config', () => {
  it('lists the settings and where each comes from', async () => {
    const at = await place({ user: { model: 'user/m' }, project: { tools: { off: ['todo'] } } })
    const { stdout } = await run(at, 'config')
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows.slice(0, 9)).toEqual([
      ['SETTING', 'VALUE', 'FROM'],
      ['model', '"user/m"', 'user'],
      ['permissions.mode', '"default"', 'default'],
      ['permissions.rules', '[]', 'default'],
      ['limits.turns', '200', 'default'],
      ['tools.on', '-', 'default'],
      ['tools.off', '["todo"]', 'project'],
      ['webSearch.provider', '-', 'default'],
      ['sandbox', 'false', 'default'],
    ])
    expect(stdout).toContain(`\nUser:    ${at.user}\nProject: ${at.project} (not trusted)\n`)
    const told = JSON.parse((await run(at, 'config', '-o', 'json')).stdout) as { readonly settings: Record<string, unknown> }
    expect(told).toMatchObject({ settings: { model: { value: 'user/m', from: ['user'] } }, isTrusted: false, warnings: [], faults: [] })
  })

  it('sets, gets and takes out, and leaves the rest as it is', async () => {
    const at = await place({ user: { other: { x: 1 }, permissions: { rules: ['deny todo'] } } })
    expect(await run(at, 'config', 'set', 'permissions.mode', 'plan')).toEqual({
      code: 0,
      stdout: `permissions.mode = "plan" in ${at.user}.\n`,
      stderr: '',
    })
    await run(at, 'config', 'set', 'tools.off', '["shell"]')
    await run(at, 'config', 'set', 'limits.turns', '9')
    expect(JSON.parse(await readFile(at.user, 'utf8'))).toEqual({
      other: { x: 1 },
      permissions: { rules: ['deny todo'], mode: 'plan' },
      tools: { off: ['shell'] },
      limits: { turns: 9 },
    })
    expect((await stat(at.user)).mode & 0o777).toBe(0o600)
    expect((await run(at, 'config', 'get', 'permissions.mode')).stdout).toBe('plan\n')
    expect((await run(at, 'config', 'get', 'tools.off')).stdout).toBe('["shell"]\n')
    expect((await run(at, 'config', 'set', 'limits.turns')).stdout).toBe(`limits.turns is no longer set in ${at.user}.\n`)
    expect(JSON.parse(await readFile(at.user, 'utf8'))).not.toHaveProperty('limits')
  })

  it.each<[string, readonly string[], string]>([
    ['a setting that there is not', ['get', 'modle'], 'There is no setting "modle". Did you mean model? There are: model, '],
    ['a value that is none', ['set', 'permissions.mode', 'palm'], 'permissions.mode must be one of '],
    [
      'a value of several words',
      ['set', 'model', 'a', 'b'],
      '`lena config set` takes a key and one value, got "model a b". Put the value in quotes.',
    ],
    [
      'a setting of the user in the project',
      ['set', '--project', 'sessions', 'false'],
      'sessions is a setting of the user; a project does not decide that.',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { code, stdout, stderr } = await run(await place(), 'config', ...words)
    expect({ code, stdout, said: stderr.slice(0, 6 + message.length) }).toEqual({ code: 2, stdout: '', said: `lena: ${message}` })
  })

  it('does not overwrite what it cannot read', async () => {
    const at = await place({ user: '{ "model": ' })
    expect(await run(at, 'config', 'set', 'model', 'x')).toEqual({
      code: 2,
      stdout: '',
      stderr: `lena: ${at.user} holds no JSON object. Correct it by hand first; it was not changed.\n`,
    })
    expect(await readFile(at.user, 'utf8')).toBe('{ "model": ')
  })

  it('a project is trusted by whoever is asked in a terminal, when it would change something', async () => {
    const at = await place({ project: { model: 'project/m' } })
    const { io: _, ...there } = world({
      home: at.home,
      cwd: at.cwd,
      env: { ...env },
      stdin: 'terminal',
      model: scriptedModel({ text: 'Hi.' }),
    })
    const running = there.run('x')
    await there.stdout.shows('Trust it?')
    expect(there.stdout.text).toContain(`? ${at.project} sets. It came with the folder.\n    model = "project/m"\n`)
    there.type('y\r')
    expect(await running).toBe(0)
    expect(await values(at)).toMatchObject({ model: 'project/m' })
  })
})

describe('the setting sandbox', () => {
  const object = { network: ['packages.example', '*.example.com:443'], writable: ['~/.npm'], hidden: ['notes'] }

  it('may be an object, of which a project that is not trusted closes all', async () => {
    const at = await place({ user: { sandbox: object } })
    expect(await values(at)).toMatchObject({ sandbox: object })
    expect(await values(await place({ project: { sandbox: object } }))).toMatchObject({ sandbox: true })
    expect(await values(await place({ user: { sandbox: object }, project: { sandbox: true } }))).toMatchObject({ sandbox: true })
    expect(await values(await place({ user: { sandbox: true }, project: { sandbox: false } }))).toMatchObject({ sandbox: true })
  })

  it.each([[{ network: ['https://example.com'] }], [{ network: 'all' }], [{ net: true }], ['yes']])('is not %j', async (sandbox) => {
    const at = await place({ user: { sandbox } })
    const { code, stderr } = await run(at, '-p', 'x')
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: `lena: The settings cannot be used. ${at.user}: sandbox must be true or false, or an object of network (true or false, or a list of hosts such as "*.example.com:443"), writable (a list of texts), hidden (a list of texts), got ${JSON.stringify(sandbox)}. \`lena config\` shows them.`,
    })
  })
})

describe('the schema', () => {
  it('is what lies in docs/, and what `lena config schema` prints', async () => {
    expect(schemaFile).toEqual(configSchema())
    expect(JSON.parse((await run(await place(), 'config', 'schema')).stdout)).toEqual(schemaFile)
  })

  it.each<[unknown, boolean]>([
    [{}, true],
    [
      { $schema: 'x', model: 'offline', permissions: { mode: 'plan', rules: ['deny shell'] }, limits: { turns: 1 }, tools: { off: [] } },
      true,
    ],
    [{ limits: { turns: 0 } }, false],
    [{ permissions: { mode: 'x' } }, false],
    [{ modle: 'x' }, false],
  ])('%j: %s', async (value, isValid) => {
    const checked = await jsonSchema(configSchema())['~standard'].validate(value)
    expect(checked.issues === undefined).toBe(isValid)
  })
})
