import type { FileStats } from '../../host/file-system.ts'
import type { AddTest } from './machine.ts'
import { fails, isTrue, quoted, same } from './machine.ts'

const kindOf = async (stats: Promise<FileStats>): Promise<string> => (await stats).kind

/** What `stat` and `lstat` tell. */
export function testStats(test: AddTest): void {
  test('tells files, folders, links, FIFOs and devices from each other', async (at) => {
    await at.write('file')
    await at.sh('mkdir folder; ln -s file link; mkfifo fifo')
    for (const [name, kind] of Object.entries({ file: 'file', folder: 'folder', link: 'link', fifo: 'fifo' }))
      same(await kindOf(at.files.lstat(at.path(name))), kind, `lstat of a ${kind}, its kind`)
    same(await kindOf(at.files.stat('/dev/null')), 'device', 'stat of /dev/null, its kind')
    same(await kindOf(at.files.stat('/')), 'folder', 'stat of /, its kind')
  })

  test('stat follows links, one behind the other, and lstat does not', async (at) => {
    await at.write('file', 'four')
    await at.sh('mkdir folder; ln -s file link; ln -s ../link folder/second; ln -s folder third')
    const { id, size } = await at.files.stat(at.path('file'))
    for (const name of ['link', 'folder/second', 'third/second']) {
      const followed = await at.files.stat(at.path(name))
      same([followed.kind, followed.id, followed.size], ['file', id, size], `stat of the link ${name}`)
    }
    same(await kindOf(at.files.stat(at.path('third'))), 'folder', 'stat of a link to a folder, its kind')
    same(await kindOf(at.files.lstat(at.path('third'))), 'link', 'lstat of a link to a folder, its kind')
    same(await kindOf(at.files.lstat(at.path('third/second'))), 'link', 'lstat of a link in a folder behind a link, its kind')
  })

  test('what is not there is ENOENT, below a file ENOTDIR, in a circle of links ELOOP', async (at) => {
    await at.write('file')
    await at.sh('ln -s nowhere dangling; ln -s b a; ln -s a b; ln -s file/x below')
    const { files } = at
    const codes = {
      nowhere: 'ENOENT',
      'nowhere/x': 'ENOENT',
      'file/x': 'ENOTDIR',
      dangling: 'ENOENT',
      a: 'ELOOP',
      'a/x': 'ELOOP',
      below: 'ENOTDIR',
    }
    for (const [name, code] of Object.entries(codes)) await fails(files.stat(at.path(name)), code, `stat of ${name}`)
    for (const name of ['nowhere', 'nowhere/x', 'dangling/x']) await fails(files.lstat(at.path(name)), 'ENOENT', `lstat of ${name}`)
    await fails(files.lstat(at.path('file/x')), 'ENOTDIR', 'lstat of file/x')
    same(await kindOf(files.lstat(at.path('dangling'))), 'link', 'lstat of a link that leads nowhere, its kind')
  })

  test('the size is that of the content in bytes, and goes with it', async (at) => {
    const path = await at.write('file', 'ä漢😀')
    same((await at.files.stat(path)).size, 9n, 'the size of 3 characters in 9 bytes')
    await at.sh('printf 12345 >>file')
    same((await at.files.stat(path)).size, 14n, 'the size when 5 bytes were added')
    await at.sh(': >file')
    same((await at.files.stat(path)).size, 0n, 'the size of an empty file')
  })

  test('the time is that of the last change of the content, in nanoseconds since the epoch', async (at) => {
    const path = await at.write('file', 'old')
    await at.sh('TZ=UTC0 touch -t 200109090146.40 file')
    same((await at.files.stat(path)).mtimeNs, 1_000_000_000_000_000_000n, 'the time of 2001-09-09 01:46:40 UTC')
    await at.sh('printf new >file')
    const after = (await at.files.stat(path)).mtimeNs
    const now = BigInt((await at.sh('date +%s')).trim()) * 1_000_000_000n
    isTrue(
      after > now - 3600n * 1_000_000_000n && after < now + 3600n * 1_000_000_000n,
      `the time of a file that was written now is ${after}, and now is ${now}`,
    )
  })

  test('the mode has all permission bits, and no others', async (at) => {
    await at.write('file')
    await at.sh('mkdir folder')
    for (const mode of [0o640, 0o755, 0o444, 0o4755]) {
      await at.sh(`chmod ${mode.toString(8)} file`)
      same((await at.files.stat(at.path('file'))).mode.toString(8), mode.toString(8), 'the mode of a file')
    }
    await at.sh('chmod 1777 folder')
    same((await at.files.stat(at.path('folder'))).mode.toString(8), '1777', 'the mode of a folder')
  })

  test('the owner is told by numbers, and how many names a file has', async (at) => {
    const path = await at.write('file')
    await at.sh('ln file second; ln file third')
    const [, , uid, gid] = (await at.sh('ls -dn file')).split(/ +/)
    const stats = await at.files.stat(path)
    same([stats.uid, stats.gid], [Number(uid), Number(gid)], 'user and group')
    // 1 where that is not known.
    isTrue([1, 3].includes(stats.links), `a file with 3 names has ${stats.links} links`)
  })

  test('the id is that of the very file, by whatever name, until another takes its place', async (at) => {
    const path = await at.write('file', 'a')
    await at.write('other', 'a')
    const idOf = async (name: string): Promise<string> => (await at.files.stat(at.path(name))).id
    const first = await idOf('file')
    isTrue((await idOf('other')) !== first, 'two files have the same id')
    await at.sh(`ln file second; printf b >>file; chmod 600 ${quoted(path)}`)
    same([await idOf('file'), await idOf('second')], [first, first], 'the ids of its names, after an append')
    await at.files.rename(at.path('other'), path)
    isTrue((await idOf('file')) !== first, 'a file that was renamed over another has the id of the one that was there')
    same(await idOf('second'), first, 'the id of the old file by its other name')
  })
}
