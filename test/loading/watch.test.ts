import { once } from 'node:events'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toolsFrom } from '../../src/loading/index.ts'
import { patientClock } from '../support/patient-clock.ts'
import { answers, listener, replaceFile, scratch, toolText, watched, write } from './support.ts'

const minute = 120_000

describe('a watched folder', () => {
  it('adds, changes, keeps what breaks, mends and removes', { timeout: minute }, async () => {
    const folder = scratch()
    const weather = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(folder)
    expect(await answers(provider)).toEqual({ weather: 'sun' })

    const time = await write(join(folder, 'time.ts'), toolText('time', "'noon'"))
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'sun' })

    await replaceFile(weather, toolText('weather', "'rain'"))
    await heard.changed(2)
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'rain' })

    await write(weather, 'export const = broken')
    await heard.warned(1)
    expect(heard.warnings).toEqual([{ code: 'tool_reload_failed', message: expect.stringContaining(weather) as string }])
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'rain' })

    await write(weather, toolText('weather', "'snow'"))
    await heard.changed(3)
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'snow' })

    await rm(time)
    await heard.changed(4)
    expect(await answers(provider)).toEqual({ weather: 'snow' })
    expect(heard.warnings).toHaveLength(1)
  })

  it('is loaded again when something changed during the first load', { timeout: minute }, async () => {
    const folder = scratch()
    const weather = await write(join(folder, 'a-weather.ts'), toolText('weather', "'sun'"))
    let begin = (): void => {}
    let goOn = (): void => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const gate = new Promise<void>((resolve) => (goOn = resolve))
    const shared = globalThis as { lenaSlowLoad?: () => Promise<void> }
    shared.lenaSlowLoad = () => (begin(), gate)
    onTestFinished(() => void delete shared.lenaSlowLoad)
    await write(join(folder, 'b-time.ts'), `${toolText('time', "'noon'")}await globalThis.lenaSlowLoad()\n`)
    const other = watch(folder, { ignoreInitial: true })
    onTestFinished(() => other.close())
    await once(other, 'ready')
    const { provider, heard } = await watched(folder)
    const loading = answers(provider)
    await begun
    const changed = once(other, 'all')
    await replaceFile(weather, toolText('weather', "'rain'"))
    await changed
    goOn()
    expect(await loading).toEqual({ time: 'noon', weather: 'sun' })
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'rain' })
  })

  it.each([
    ['throws when it is imported', "throw new Error('no such key')", 'no such key'],
    ['defines a bad tool', "export default { name: 'a b', description: 'x', inputSchema: {}, run() {} }", 'a b'],
    ['imports what is not there', "import './_nothing.ts'", './_nothing.ts'],
  ])('keeps the tools of a file that %s', { timeout: minute }, async (_, text, said) => {
    const folder = scratch()
    const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(folder)
    expect(await answers(provider)).toEqual({ weather: 'sun' })
    await write(file, text)
    await heard.warned(1)
    expect(heard.warnings).toEqual([{ code: 'tool_reload_failed', message: expect.stringContaining(said) as string }])
    expect(await answers(provider)).toEqual({ weather: 'sun' })
  })

  it('gives up on an import that never ends', { timeout: minute }, async () => {
    const folder = scratch()
    const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { clock, limits } = patientClock()
    const { provider, heard } = await watched(folder, { clock })
    expect(await answers(provider)).toEqual({ weather: 'sun' })
    await write(file, 'await new Promise(() => {})\nexport {}')
    const isWarned = async (): Promise<boolean> => {
      await limits.advance(30_000)
      return heard.warnings.length > 0
    }
    await expect.poll(isWarned, { timeout: minute }).toBe(true)
    expect(heard.warnings).toEqual([{ code: 'tool_reload_failed', message: expect.stringContaining('within 30000 ms') as string }])
    await write(file, toolText('weather', "'snow'"))
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ weather: 'snow' })
  })

  it('comes back after it was removed as a whole', { timeout: minute }, async () => {
    const folder = join(scratch(), 'tools')
    await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(folder)
    expect(await answers(provider)).toEqual({ weather: 'sun' })
    await rm(folder, { recursive: true })
    await heard.changed(1)
    expect(await answers(provider)).toEqual({})
    await write(join(folder, 'weather.ts'), toolText('weather', "'rain'"))
    await heard.changed(2)
    expect(await answers(provider)).toEqual({ weather: 'rain' })
    await write(join(folder, 'weather.ts'), toolText('weather', "'snow'"))
    await heard.changed(3)
    expect(await answers(provider)).toEqual({ weather: 'snow' })
  })
})

describe('a file that is a link', () => {
  it('changes with what it points to', { timeout: minute }, async () => {
    const base = scratch()
    const real = await write(join(base, 'real/weather.ts'), toolText('weather', "'sun'"))
    await write(join(base, 'tools/other.ts'), toolText('other', "'1'"))
    await symlink(real, join(base, 'tools/weather.ts'))
    const { provider, heard } = await watched(join(base, 'tools'))
    expect(await answers(provider)).toEqual({ other: '1', weather: 'sun' })
    await replaceFile(real, toolText('weather', "'rain'"))
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ other: '1', weather: 'rain' })
  })
})

describe('one watched file', () => {
  it('is loaded again, and alone', { timeout: minute }, async () => {
    const folder = scratch()
    const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(file)
    expect(await answers(provider)).toEqual({ weather: 'sun' })
    await write(join(folder, 'other.ts'), "throw new Error('must not be read')")
    await replaceFile(file, toolText('weather', "'rain'"))
    await heard.changed(1)
    expect([await answers(provider), heard.warnings]).toEqual([{ weather: 'rain' }, []])
    await rm(file)
    await heard.changed(2)
    expect(await answers(provider)).toEqual({})
  })
})

describe('what a file imports', () => {
  it.each([
    ['ts', 'ts'],
    ['mjs', 'mjs'],
  ])('counts: a change of a helper (%s) loads those again that import it, and no other', { timeout: minute }, async (extension) => {
    const base = scratch()
    const folder = join(base, 'tools')
    const plain = (name: string): string =>
      `import { word } from '../lib/word.${extension}'\nimport { next } from '../lib/count.${extension}'\nconst mine = next()\nexport default { name: '${name}', description: 'x', inputSchema: { type: 'object' }, run: () => word + mine }`
    await write(join(base, `lib/word.${extension}`), "export const word = 'one'")
    await write(join(base, `lib/count.${extension}`), 'let count = 0\nexport const next = () => ++count')
    await write(join(folder, `a.${extension}`), plain('a'))
    await write(join(folder, `b.${extension}`), plain('b').replace(/^.*word.*\n/, "const word = 'own'\n"))
    const { provider, heard } = await watched(folder)
    // One counter for both: a module is evaluated once.
    expect(await answers(provider)).toEqual({ a: 'one1', b: 'own2' })
    await replaceFile(join(base, `lib/word.${extension}`), "export const word = 'two'")
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ a: 'two3', b: 'own2' })
    expect(heard.warnings).toEqual([])
  })
})

describe('the consumers', () => {
  it('all hear of a change, and may come and go twice', { timeout: minute }, async () => {
    const folder = scratch()
    const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const provider = toolsFrom(folder, { watch: true })
    const [one, two] = [listener('one'), listener('two')]
    for (const { consumer } of [one, one, two]) provider.addConsumer(consumer)
    onTestFinished(() => provider.removeConsumer(two.consumer))
    expect(await answers(provider)).toEqual({ weather: 'sun' })
    await write(file, toolText('weather', "'rain'"))
    await Promise.all([one.changed(1), two.changed(1)])
    await provider.removeConsumer(one.consumer)
    await provider.removeConsumer(one.consumer)
    await write(file, toolText('weather', "'snow'"))
    await two.changed(2)
    expect([one.changes, await answers(provider)]).toEqual([1, { weather: 'snow' }])
  })

  it('keep the version that they began with', { timeout: minute }, async () => {
    const folder = scratch()
    const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(folder)
    const [old] = await provider.loadTools({ signal: new AbortController().signal, warn: () => {} })
    await write(file, toolText('weather', "'rain'"))
    await heard.changed(1)
    expect([old?.run({}, undefined as never), await answers(provider)]).toEqual(['sun', { weather: 'rain' }])
  })
})
