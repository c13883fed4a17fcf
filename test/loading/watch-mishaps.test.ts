import { symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolsFrom } from '../../src/loading/index.ts'
import { patientClock } from '../support/patient-clock.ts'
import { answers, replaceFile, scratch, toolText, watched, write } from './support.ts'

const minute = 120_000

describe('a watched folder', () => {
  it('goes on when a link in it, or what a file imports, leads in a circle', { timeout: minute }, async () => {
    const folder = scratch()
    const circle = async (path: string): Promise<void> => {
      await unlink(path)
      await symlink(path, path)
    }
    const helper = await write(join(folder, '_helper.ts'), 'export const answer = 1')
    const gone = await write(join(folder, 'gone.ts'), toolText('gone', "'here'"))
    const time = await write(join(folder, 'time.ts'), toolText('time', "'noon'"))
    await write(join(folder, 'weather.ts'), `import { answer } from './_helper.ts'\n${toolText('weather', '`sun ${answer}`')}`)
    const { provider, heard } = await watched(folder)
    expect(await answers(provider)).toEqual({ gone: 'here', time: 'noon', weather: 'sun 1' })

    await circle(gone)
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ time: 'noon', weather: 'sun 1' })

    await circle(helper)
    await replaceFile(time, toolText('time', "'night'"))
    await heard.changed(2)
    expect(await answers(provider)).toEqual({ time: 'night', weather: 'sun 1' })
  })

  it('does not wait again for an import that never ended because another file changed', { timeout: minute }, async () => {
    const folder = scratch()
    const { clock, limits } = patientClock()
    const hangs = await write(join(folder, 'a.ts'), 'await new Promise(() => {})\nexport {}')
    const time = await write(join(folder, 'time.ts'), toolText('time', "'noon'"))
    const { provider, heard } = await watched(folder, { clock })
    let loaded: object | undefined
    void answers(provider).then((all) => (loaded = all))
    const isLoaded = async (): Promise<boolean> => {
      await limits.advance(30_000)
      return loaded !== undefined
    }
    await expect.poll(isLoaded, { timeout: minute }).toBe(true)
    expect(loaded).toEqual({ time: 'noon' })

    // From now on no limit is ever up.
    await replaceFile(time, toolText('time', "'night'"))
    await heard.changed(1)
    expect(await answers(provider)).toEqual({ time: 'night' })
    await replaceFile(hangs, toolText('mended', "'well'"))
    await heard.changed(2)
    expect(await answers(provider)).toEqual({ mended: 'well', time: 'night' })
  })

  it('takes no tools away, and says nothing, because a file was empty while it was written', { timeout: minute }, async () => {
    const folder = scratch()
    const weather = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
    const { provider, heard } = await watched(folder)
    expect(await answers(provider)).toEqual({ weather: 'sun' })

    // Read without a tool in it, and changed before it was looked at.
    const next = JSON.stringify(toolText('weather', "'snow'"))
    await replaceFile(weather, `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(weather)}, ${next})\nexport {}`)
    await heard.changed(1)
    expect([await answers(provider), heard.warnings]).toEqual([{ weather: 'snow' }, []])
  })
})

it('goes on without a file that throws what cannot be read', async () => {
  const folder = scratch()
  await write(join(folder, 'a.ts'), "throw { toString() { throw new Error('no') } }")
  await write(join(folder, 'b.ts'), 'throw Object.create(null)')
  await write(join(folder, 'c.ts'), "export const odd = { get run() { throw { toString: null } }, description: 'Odd.' }")
  await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
  const warnings: { code: string; message: string }[] = []
  expect(await answers(toolsFrom(folder), warnings)).toEqual({ weather: 'sun' })
  expect(warnings.map(({ code }) => code)).toEqual(['tool_load_failed', 'tool_load_failed', 'tool_skipped'])
})
