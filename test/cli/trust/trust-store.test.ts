import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { programOf } from '../../support/program.ts'
import { newFolder, storeIn } from './support/folders.ts'

const thing = { folder: '/work/project', file: '.mcp.json', hash: 'aa' }

describe('the store of what is trusted', () => {
  it('knows one file of one folder with one content, and forgets it when told', async () => {
    const store = storeIn(await newFolder())
    expect([await store.isTrusted(thing), await store.wasTrusted(thing)]).toEqual([false, false])
    await store.trust(thing)
    await store.trust(thing)
    expect([await store.isTrusted(thing), await store.wasTrusted(thing)]).toEqual([true, true])
    // Below, above and beside it with the same content, and the same file with another one.
    for (const other of [
      { ...thing, folder: '/work/project/vendored' },
      { ...thing, folder: '/work' },
      { ...thing, folder: '/work/project2' },
      { ...thing, file: '.lena/config.json' },
      { ...thing, hash: 'ab' },
    ])
      expect(await store.isTrusted(other)).toBe(false)
    expect(await store.wasTrusted({ folder: thing.folder, file: '.lena/config.json' })).toBe(false)
    expect(await store.wasTrusted(thing)).toBe(true)
    expect([await store.revoke(thing), await store.revoke(thing)]).toEqual([true, false])
    expect([await store.isTrusted(thing), await store.wasTrusted(thing)]).toEqual([false, false])
  })

  it('keeps the contents that were trusted, so that one may go back to them', async () => {
    const store = storeIn(await newFolder())
    await store.trust(thing)
    await store.trust({ ...thing, hash: 'bb' })
    expect([await store.isTrusted(thing), await store.isTrusted({ ...thing, hash: 'bb' })]).toEqual([true, true])
  })

  it('is private, and leaves nothing beside', async () => {
    const config = await newFolder()
    await storeIn(config).trust(thing)
    const [name] = await readdir(join(config, 'trust'))
    const folder = join(config, 'trust', name!)
    expect(await readdir(folder)).toEqual(['aa.json'])
    expect(JSON.parse(await readFile(join(folder, 'aa.json'), 'utf8'))).toEqual({
      folder: '/work/project',
      file: '.mcp.json',
      sha256: 'aa',
    })
    const modes = await Promise.all(
      [join(config, 'trust'), folder, join(folder, 'aa.json')].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o700, 0o600])
  })

  it('trusts nothing of which it does not hold what it wrote itself', async () => {
    const config = await newFolder()
    const store = storeIn(config)
    await store.trust(thing)
    const [name] = await readdir(join(config, 'trust'))
    await writeFile(join(config, 'trust', name!, 'aa.json'), '{}')
    expect(await store.isTrusted(thing)).toBe(false)
    await mkdir(join(config, 'trust', name!, 'bb.json'))
    expect(await store.isTrusted({ ...thing, hash: 'bb' })).toBe(false)
  })

  it('says when it cannot be written', async () => {
    const config = await newFolder()
    await writeFile(join(config, 'trust'), 'no folder')
    await expect(storeIn(config).trust(thing)).rejects.toThrow(/ENOTDIR|EEXIST/)
    expect(await storeIn(config).isTrusted(thing)).toBe(false)
  })

  it('takes what several processes say at the same time', { timeout: 60_000 }, async () => {
    const config = await newFolder()
    const program = await programOf(`
      import { trustStore } from './src/cli/trust/trust-store.ts'
      const store = trustStore({ env: { LENA_CONFIG_DIR: ${JSON.stringify(config)} }, platform: 'linux' })
      for (let i = 0; i < 20; i++) {
        await store.trust({ folder: '/f', file: 'shared', hash: String(i) })
        await store.trust({ folder: '/f', file: process.argv[2], hash: String(i) })
        if (i % 5 === 4) await store.revoke({ folder: '/f', file: 'revoked' })
        await store.trust({ folder: '/f', file: 'revoked', hash: 'last' })
      }`)
    const run = promisify(execFile)
    await Promise.all(['a', 'b', 'c'].map((name) => run(process.execPath, [program, name])))
    const store = storeIn(config)
    for (const file of ['shared', 'a', 'b', 'c'])
      for (let i = 0; i < 20; i++) expect(await store.isTrusted({ folder: '/f', file, hash: String(i) })).toBe(true)
    expect(await store.isTrusted({ folder: '/f', file: 'revoked', hash: 'last' })).toBe(true)
  })
})
