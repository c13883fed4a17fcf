import { chmod, chown, mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileResults } from 'lena-agent/toolkit'
import { failureOf, named, newFolder, signal } from './support/folder.ts'

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('a stored result', () => {
  it('is a file that only this user can read, in folders that only this user can open', async () => {
    const dir = join(await newFolder(), 'not', 'there', 'yet')
    const { path } = await fileResults({ dir }).put(named('größer\n'), { signal })
    expect(await readFile(path, 'utf8')).toBe('größer\n')
    expect(path.startsWith(`${dir}/`)).toBe(true)
    expect(await Promise.all([dir, dirname(path), path].map(modeOf))).toEqual(['700', '700', '600'])
  })

  it('has a name that says its length and else nothing', async () => {
    const { path } = await fileResults({ dir: join(await newFolder(), 'r') }).put(named('größer\n', '../../x'), { signal })
    expect(basename(path)).toMatch(/^result-[0-9a-f]{32}-7\.txt$/)
    expect(basename(dirname(path))).toMatch(/^c-[0-9a-f]{32}$/)
  })

  it('is read by a store in another process too, which has put nothing', async () => {
    const dir = join(await newFolder(), 'r')
    const { path } = await fileResults({ dir }).put(named('kept'), { signal })
    const other = fileResults({ dir })
    expect(await other.owns(path)).toBe(true)
    expect(await other.read(path, { offset: 1, limit: 2, signal })).toEqual({ text: 'ep', offset: 1, chars: 4 })
    await other.remove('conv_1')
    expect(await readdir(dir)).toEqual([])
  })

  it('is kept when somebody has cleared away the folder in between', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir })
    await store.put(named('before'), { signal })
    await rm(dir, { recursive: true })
    const { path } = await store.put(named('after'), { signal })
    expect(await readFile(path, 'utf8')).toBe('after')
  })

  it('leaves nothing behind when its run gives up', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir })
    const stop = new AbortController()
    const putting = store.put(named('x'.repeat(5_000_000)), { signal: stop.signal })
    stop.abort(new Error('given up'))
    await failureOf(putting)
    const files = (await readdir(dir, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.txt'))
    expect(files).toEqual([])
  })
})

describe('a folder that is not private', () => {
  const refusal = async (dir: string) => {
    const { code, message } = await failureOf(fileResults({ dir }).put(named('secret'), { signal }))
    return { code, message: message.replace(dir, 'DIR') }
  }

  it('is refused when it is a link, wherever that leads', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 })
    await symlink(join(folder, 'elsewhere'), join(folder, 'r'))
    expect(await refusal(join(folder, 'r'))).toEqual({
      code: 'result_folder_unsafe',
      message: 'The folder for results "DIR" is not used: it is a link, and whoever made it chose where it leads.',
    })
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
  })

  it.each([0o755, 0o750, 0o701, 0o720])('is refused when others can open it: %o', async (mode) => {
    const folder = await newFolder()
    await mkdir(join(folder, 'r'))
    await chmod(join(folder, 'r'), mode)
    expect(await refusal(join(folder, 'r'))).toEqual({
      code: 'result_folder_unsafe',
      message: `The folder for results "DIR" is not used: others can open it (its mode is 0${mode.toString(8)}; make it private with: chmod 700).`,
    })
    expect(await readdir(join(folder, 'r'))).toEqual([])
  })

  it('is refused when it is a file', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'r'), '')
    expect((await refusal(join(folder, 'r'))).code).toBe('result_folder_unsafe')
  })

  it('is used once it was put right', async () => {
    const dir = join(await newFolder(), 'r')
    await mkdir(dir)
    await chmod(dir, 0o777)
    const store = fileResults({ dir })
    expect((await failureOf(store.put(named('a'), { signal }))).code).toBe('result_folder_unsafe')
    await chmod(dir, 0o700)
    const { path } = await store.put(named('a'), { signal })
    expect(await readFile(path, 'utf8')).toBe('a')
  })

  it('is noticed when it takes the place of the right one', async () => {
    const folder = await newFolder()
    const dir = join(folder, 'r')
    const store = fileResults({ dir })
    const { path } = await store.put(named('a'), { signal })
    await rename(dir, join(folder, 'moved'))
    await symlink(join(folder, 'moved'), dir)
    expect((await failureOf(store.put(named('b'), { signal }))).code).toBe('result_folder_unsafe')
    expect(await store.owns(path)).toBe(false)
    expect((await failureOf(store.read(path, { offset: 0, limit: 1, signal }))).code).toBe('result_not_found')
    expect((await failureOf(store.remove('conv_1'))).code).toBe('result_folder_unsafe')
    expect(await readdir(join(folder, 'moved', basename(dirname(path))))).toEqual([basename(path)])
  })
})

describe('a link in the folder', () => {
  it('in the place of a result is not read, and not a path of the store', async () => {
    const folder = await newFolder()
    const store = fileResults({ dir: join(folder, 'r') })
    const { path } = await store.put(named('a'), { signal })
    await writeFile(join(folder, 'secret'), 'secret')
    const planted = join(dirname(path), `result-${'0'.repeat(32)}-6.txt`)
    await symlink(join(folder, 'secret'), planted)
    expect(await store.owns(planted)).toBe(false)
    expect((await failureOf(store.read(planted, { offset: 0, limit: 9, signal }))).code).toBe('result_not_found')
    await store.remove('conv_1')
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('secret')
  })

  it('in the place of a conversation is not written, read or removed through', async () => {
    const folder = await newFolder()
    const dir = join(folder, 'r')
    const store = fileResults({ dir })
    const { path } = await store.put(named('a'), { signal })
    const conversation = dirname(path)
    await rename(conversation, join(folder, 'moved'))
    await symlink(join(folder, 'moved'), conversation)
    expect((await failureOf(store.put(named('b'), { signal }))).code).toBe('result_folder_unsafe')
    expect(await store.owns(path)).toBe(false)
    expect((await failureOf(store.read(path, { offset: 0, limit: 9, signal }))).code).toBe('result_not_found')
    expect((await failureOf(store.remove('conv_1'))).code).toBe('result_folder_unsafe')
    expect(await readdir(join(folder, 'moved'))).toEqual([basename(path)])
  })
})

it('what is no result is not removed with the others', async () => {
  const dir = join(await newFolder(), 'r')
  const store = fileResults({ dir })
  const { path } = await store.put(named('a'), { signal })
  await writeFile(join(dirname(path), 'notes.txt'), 'mine')
  await store.remove('conv_1')
  expect(await readdir(dirname(path))).toEqual(['notes.txt'])
})

it('options that cannot be meant are refused at once', () => {
  expect(() => fileResults({ dir: '' })).toThrow(
    'fileResults({ dir }): expected the path of a folder; leave it out for the default, got "".',
  )
  expect(() => fileResults({ maxBytes: 0 })).toThrow('fileResults({ maxBytes }): expected a number above 0, got 0.')
})

it.runIf(process.getuid?.() === 0)("another user's folder is refused, though root could write to it", async () => {
  const dir = join(await newFolder(), 'r')
  await mkdir(dir, { mode: 0o700 })
  await chown(dir, 65_534, 65_534)
  expect(await failureOf(fileResults({ dir }).put(named('secret'), { signal }))).toEqual({
    code: 'result_folder_unsafe',
    message: `The folder for results ${JSON.stringify(dir)} is not used: it belongs to another user (65534).`,
  })
})

it.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is a failure that says so', async () => {
  const folder = await newFolder()
  await chmod(folder, 0o500)
  const { message } = await failureOf(fileResults({ dir: join(folder, 'r') }).put(named('a'), { signal }))
  await chmod(folder, 0o700)
  expect(message).toContain('EACCES')
})
