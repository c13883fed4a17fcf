import { codeOf } from '../../host/paths.ts'
import type { AddTest } from './machine.ts'
import { fails, isTrue, same, sameBytes } from './machine.ts'
import { everyByte, manyBytes } from './reading.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** `create`, `rename` and `remove`. */
export function testWriting(test: AddTest): void {
  test('makes an empty file at once, and writes any bytes into it', async (at) => {
    for (const [name, data] of Object.entries({
      binary: everyByte,
      empty: new Uint8Array(),
      large: manyBytes(3_000_000),
      text: bytesOf('a\r\nä\n'),
    })) {
      const file = await at.files.create(at.path(name))
      same((await at.files.stat(at.path(name))).size, 0n, 'the size of a file that was made and not yet written')
      await file.write(data)
      await file.close()
      sameBytes(await at.bytes(at.path(name)), data, `a file that was written (${name})`)
    }
    same(await at.sh('wc -c <large'), await at.sh('printf "%s\\n" 3000000'), 'the size of the large one, as a command sees it')
    isTrue(((await at.files.stat(at.path('text'))).mode & 0o111) === 0, 'a file that is new can be run')
  })

  test('a file that is to replace another gets its mode', async (at) => {
    const { uid, gid } = await at.files.stat(await at.write('file'))
    for (const mode of [0o755, 0o600, 0o444, 0o666, 0o4755]) {
      const path = at.path(`file ${mode.toString(8)}`)
      const file = await at.files.create(path)
      await file.write(bytesOf('x'), { mode, uid, gid })
      await file.close()
      same((await at.files.stat(path)).mode.toString(8), mode.toString(8), 'the mode')
      same(await at.text(path), 'x', 'the content')
    }
  })

  test('an owner that it may not have is no failure', async (at) => {
    const file = await at.files.create(at.path('file'))
    await file.write(bytesOf('x'), { mode: 0o640, uid: 54_321, gid: 54_321 })
    await file.close()
    const { uid, mode } = await at.files.stat(at.path('file'))
    const own = Number((await at.sh('id -u')).trim())
    isTrue(uid === own || (own === 0 && uid === 54_321), `the file belongs to ${uid}, and this user is ${own}`)
    same(mode.toString(8), '640', 'the mode')
  })

  test('makes no file where there is anything, a link that leads nowhere included', async (at) => {
    await at.write('file', 'kept')
    await at.sh('mkdir folder; ln -s file link; ln -s nowhere dangling; mkfifo fifo')
    for (const name of ['file', 'folder', 'link', 'dangling', 'fifo'])
      await fails(at.files.create(at.path(name)), 'EEXIST', `create over ${name}`)
    same(await at.text(at.path('file')), 'kept', 'the file')
    await fails(at.files.lstat(at.path('nowhere')), 'ENOENT', 'what a link leads to that was not written through')
    await fails(at.files.create(at.path('none/x')), 'ENOENT', 'create in a folder that is not there')
    await fails(at.files.create(at.path('file/x')), 'ENOTDIR', 'create below a file')
  })

  test('of several that make the same file one succeeds', async (at) => {
    const path = at.path('file')
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        at.files.create(path).then(
          async (file) => (await file.close(), 'made'),
          (error: unknown) => String(codeOf(error)),
        ),
      ),
    )
    same(made.sort(), ['EEXIST', 'EEXIST', 'EEXIST', 'EEXIST', 'EEXIST', 'made'], 'what came of it')
  })

  test('a rename takes the place of what is there, a link itself and not what it leads to', async (at) => {
    const { files } = at
    const kept = await at.write('kept', 'kept')
    await at.sh('ln -s kept link; mkdir folder; ln -s folder to-folder')
    for (const name of ['other', 'link', 'to-folder', 'folder/new']) {
      const from = await at.write('from', name)
      const { id } = await files.lstat(from)
      await files.rename(from, at.path(name))
      const now = await files.lstat(at.path(name))
      same([now.kind, now.id, await at.text(at.path(name))], ['file', id, name], `what is under ${name} now`)
      await fails(files.lstat(from), 'ENOENT', 'the old name')
    }
    same(await at.text(kept), 'kept', 'what the link led to')
    same(
      (await at.entries(at.path('folder'))).map(({ name }) => name),
      ['new'],
      'what is in the folder that a link led to',
    )
    await at.sh('ln -s kept moved')
    await files.rename(at.path('moved'), at.path('other'))
    same(await files.readlink(at.path('other')), 'kept', 'a link that was moved')
  })

  test('a rename that cannot be leaves all as it was', async (at) => {
    const file = await at.write('file', 'kept')
    await at.sh('mkdir folder; touch folder/x')
    await fails(at.files.rename(at.path('nowhere'), file), 'ENOENT', 'rename of what is not there')
    await fails(at.files.rename(file, at.path('none/x')), 'ENOENT', 'rename into a folder that is not there')
    await fails(at.files.rename(file, at.path('folder')), ['EISDIR', 'ENOTEMPTY', 'EEXIST'], 'rename of a file over a folder')
    same(
      [await at.text(file), (await at.entries(at.path('folder'))).length],
      ['kept', 1],
      'the file, and the number of entries in the folder',
    )
  })

  test('whoever looks while one is renamed over another sees the old or the new', async (at) => {
    const path = await at.write('file', 'content 0')
    let isOver = false
    const look = async (): Promise<void> => {
      while (!isOver) {
        const text = await at.text(path).catch((error: unknown) => {
          if (codeOf(error) === 'ESTALE') return 'content'
          throw new Error(`while a file was renamed over it, reading it failed: ${String(error)}`, { cause: error })
        })
        isTrue(text.startsWith('content'), `while a file was renamed over it, this was read: ${text}`)
      }
    }
    const looking = Promise.all([look(), look(), look()])
    // It is waited for below; until then it may fail.
    looking.catch(() => {})
    try {
      for (let i = 1; i <= 10; i++) await at.files.rename(await at.write('next', `content ${i}`), path)
    } finally {
      isOver = true
      await looking
    }
    same(await at.text(path), 'content 10', 'what was renamed last')
  })

  test('removes a file, or a link and not what it leads to, and no folder', async (at) => {
    const { files } = at
    const file = await at.write('file', 'kept')
    await at.write('gone')
    await at.sh('mkdir folder; touch folder/x; ln -s file link; ln -s folder to-folder; ln -s nowhere dangling; mkfifo fifo')
    for (const name of ['gone', 'link', 'to-folder', 'dangling', 'fifo']) {
      await files.remove(at.path(name))
      await fails(files.lstat(at.path(name)), 'ENOENT', `${name}, which was removed`)
    }
    await fails(files.remove(at.path('folder')), ['EISDIR', 'EPERM'], 'remove of a folder')
    await fails(files.remove(at.path('nowhere')), 'ENOENT', 'remove of what is not there')
    await fails(files.remove(at.path('file/x')), 'ENOTDIR', 'remove below a file')
    same([await at.text(file), (await at.entries(at.folder)).map(({ name }) => name)], ['kept', ['file', 'folder']], 'what is left')
  })
}
