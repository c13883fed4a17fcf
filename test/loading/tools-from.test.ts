import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AgentError } from 'lena-agent'
import { describe, expect, it } from 'vitest'
import { toolsFrom } from '../../src/loading/index.ts'
import { answers, scratch, toolText, write } from './support.ts'

const plain = (name: string, answer: string): string =>
  `{ name: '${name}', description: 'x', inputSchema: { type: 'object' }, run: () => '${answer}' }`

describe('a folder', () => {
  it('gives the tools of every module in it', async () => {
    const folder = scratch()
    await write(
      join(folder, 'a.mjs'),
      `export default ${plain('a', '1')}; export const again = ${plain('a2', '2')}; export const other = 7`,
    )
    await write(join(folder, 'b.cjs'), `module.exports = [${plain('b', '3')}, ${plain('b2', '4')}]`)
    await write(join(folder, 'c.mts'), toolText('c', "'5'"))
    await write(join(folder, 'd.cts'), `exports.d = ${plain('d', '6')}`)
    await write(join(folder, 'e.cjs'), `module.exports = ${plain('e', '7')}`)
    const bad = "throw new Error('must not be read')"
    for (const name of ['x.d.ts', '_x.ts', '.x.ts', 'x.test.ts', 'x.spec.mjs', 'x.json', 'sub/x.ts']) await write(join(folder, name), bad)
    const warnings: { code: string; message: string }[] = []
    expect(await answers(toolsFrom(folder), warnings)).toEqual({ a: '1', a2: '2', b: '3', b2: '4', c: '5', d: '6', e: '7' })
    expect(warnings).toEqual([])
  })

  it('goes on without what is broken, and says so', async () => {
    const folder = scratch()
    await write(join(folder, 'a.ts'), toolText('same', "'first'"))
    await write(join(folder, 'b.ts'), toolText('Same', "'second'"))
    await write(join(folder, 'c.ts'), 'export const = 1')
    await write(join(folder, 'd.mjs'), 'export const nothing = 1')
    await write(join(folder, 'e.mjs'), `export const good = ${plain('good', 'yes')}; export const wrong = ${plain('no good', 'no')}`)
    await write(join(folder, 'f.mjs'), 'export default { name: "p", loadTools: async () => [], addConsumer() {}, removeConsumer() {} }')
    const warnings: { code: string; message: string }[] = []
    expect(await answers(toolsFrom(folder), warnings)).toEqual({ same: 'first', good: 'yes' })
    const said = (code: string, ...words: string[]) => ({ code, message: expect.stringMatching(words.join('[^]*')) as string })
    expect(warnings).toEqual([
      said('tool_load_failed', 'c.ts'),
      said('no_tools_in_file', 'd.mjs'),
      said('tool_skipped', 'e.mjs', 'wrong', 'no good'),
      said('tool_skipped', 'f.mjs', 'provider'),
      said('tool_skipped', 'Same', 'b.ts', 'a.ts', 'same'),
    ])
  })

  it('may be reached by links', async () => {
    const base = scratch()
    await write(join(base, 'real/a.ts'), toolText('a', "'linked'"))
    await symlink(join(base, 'real'), join(base, 'tools'))
    expect(await answers(toolsFrom('./tools', { cwd: base }))).toEqual({ a: 'linked' })
  })

  it('runs nothing before the tools are needed', async () => {
    const folder = scratch()
    await write(join(folder, 'a.mjs'), `globalThis.hasRun = true; export default ${plain('a', '1')}`)
    const provider = toolsFrom(folder)
    expect('hasRun' in globalThis).toBe(false)
    expect(await answers(provider)).toEqual({ a: '1' })
    expect('hasRun' in globalThis).toBe(true)
    delete (globalThis as { hasRun?: boolean }).hasRun
  })
})

describe('a file', () => {
  it('is named by a path or an address, one of its exports behind a colon', async () => {
    const folder = scratch()
    const file = await write(join(folder, 'a.mjs'), `export const one = ${plain('one', '1')}; export const two = ${plain('two', '2')}`)
    const options = { cwd: folder }
    expect(await answers(toolsFrom('./a.mjs', options))).toEqual({ one: '1', two: '2' })
    expect(await answers(toolsFrom('./a.mjs:two', options))).toEqual({ two: '2' })
    expect(await answers(toolsFrom(`${file}:one`))).toEqual({ one: '1' })
    expect(await answers(toolsFrom(pathToFileURL(file).href))).toEqual({ one: '1', two: '2' })
    expect(await answers(toolsFrom(`${pathToFileURL(file).href}:two`))).toEqual({ two: '2' })
    await expect(answers(toolsFrom('./a.mjs:three', options))).rejects.toThrow(/no export `three`.*one, two/)
    await expect(answers(toolsFrom('.:one', options))).rejects.toThrow('folder')
    await expect(answers(toolsFrom('./b.mjs', options))).rejects.toMatchObject({ code: 'tools_not_found' })
  })

  it('shares the classes of this package with the application', async () => {
    const folder = scratch()
    const file = await write(
      join(folder, 'a.ts'),
      `import { AgentError } from 'lena-agent'\nimport { scriptedModel } from 'lena-agent/testing'\n${toolText('a', "new AgentError('x')").replace('city', 'town')}export const kept = scriptedModel`,
    )
    const { a } = await answers(toolsFrom(file))
    expect(a).toBeInstanceOf(AgentError)
  })
})

describe('a package', () => {
  it('is looked up from the working folder, as Node does', async () => {
    const folder = scratch()
    const home = join(folder, 'node_modules/some-tools')
    await write(join(home, 'package.json'), '{ "type": "module", "exports": { ".": { "import": "./main.js" }, "./more": "./more.js" } }')
    await write(join(home, 'main.js'), `export const one = ${plain('one', '1')}; export const two = ${plain('two', '2')}`)
    await write(join(home, 'more.js'), `export default ${plain('more', '3')}`)
    const options = { cwd: folder }
    expect(await answers(toolsFrom('some-tools', options))).toEqual({ one: '1', two: '2' })
    expect(await answers(toolsFrom('some-tools:two', options))).toEqual({ two: '2' })
    expect(await answers(toolsFrom('some-tools/more', options))).toEqual({ more: '3' })
    await write(join(folder, 'local-tools/index.js'), 'export {}')
    await expect(answers(toolsFrom('local-tools', options))).rejects.toMatchObject({ code: 'tools_not_found' })
    await expect(answers(toolsFrom('no-such-tools', options))).rejects.toMatchObject({ code: 'tools_not_found' })
  })
})

describe('a module', () => {
  it('gives the tools that it exports', async () => {
    const one = { name: 'one', description: 'x', inputSchema: { type: 'object' }, run: () => '1' }
    expect(await answers(toolsFrom({ one, list: [one], other: 3 }))).toEqual({ one: '1' })
    await expect(answers(toolsFrom({ other: 3 }))).rejects.toMatchObject({ code: 'no_tools' })
  })
})

it.each([
  ['', {}],
  [3, {}],
  ['./x', { timeoutMs: 0 }],
  ['./x', { settleMs: Number.NaN }],
  ['a-package', { watch: true }],
  [{}, { watch: true }],
])('refuses %j with %j', (source, options) => {
  expect(() => toolsFrom(source as string, options)).toThrow(expect.objectContaining({ code: 'invalid_input' }) as Error)
})
