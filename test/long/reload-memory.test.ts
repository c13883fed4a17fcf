import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { answers, replaceFile, scratch, toolText, watched, write } from '../loading/support.ts'

/** Alive are the newest version and what Node and its caches hold of those before. */
const mostAlive = 10

it('frees old versions: of two hundred a few are alive', async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  const shared = globalThis as { lenaVersions?: WeakRef<object>[] }
  const versions = (shared.lenaVersions = [])
  // With something large in each, and a file below it that changes as often.
  const text = (version: number): string => `import { helper } from './_helper.ts'
${toolText('weather', `\`\${helper} ${version} \${large.length}\``)}
const large = new Array(100_000).fill(${version})
const held = { large }
globalThis.lenaVersions.push(new WeakRef(held))
export const hold = (): object => held
`
  const folder = scratch()
  const helper = await write(join(folder, '_helper.ts'), "export const helper = 'v0'\n")
  const weather = await write(join(folder, 'weather.ts'), text(0))
  const { provider, heard } = await watched(folder, { settleMs: 1 })
  expect(await answers(provider)).toEqual({ weather: 'v0 0 100000' })
  for (let version = 1; version <= 200; version++) {
    if (version % 2 === 0) await replaceFile(helper, `export const helper = 'v${version}'\n`)
    else await replaceFile(weather, text(version))
    await heard.changed(version)
  }
  expect(await answers(provider)).toEqual({ weather: 'v200 199 100000' })
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  expect(versions.length).toBeGreaterThan(200)
  expect(versions.filter((version: WeakRef<object>) => version.deref() !== undefined).length).toBeLessThan(mostAlive)
  delete shared.lenaVersions
})
