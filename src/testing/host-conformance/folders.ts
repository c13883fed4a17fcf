import type { AddTest } from './machine.ts'
import { fails, isTrue, same } from './machine.ts'

/** `list` and `makeFolder`. */
export function testFolders(test: AddTest): void {
  test('lists what is in a folder, hidden things too, each with the kind of the entry itself', async (at) => {
    await at.write('.hidden')
    await at.write('..two')
    await at.write('file')
    await at.sh('mkdir folder .folder; ln -s folder to-folder; ln -s nowhere dangling; mkfifo fifo')
    same(
      await at.entries(at.folder),
      [
        { name: '..two', kind: 'file' },
        { name: '.folder', kind: 'folder' },
        { name: '.hidden', kind: 'file' },
        { name: 'dangling', kind: 'link' },
        { name: 'fifo', kind: 'fifo' },
        { name: 'file', kind: 'file' },
        { name: 'folder', kind: 'folder' },
        { name: 'to-folder', kind: 'link' },
      ],
      'the entries',
    )
    same(await at.entries(at.path('folder')), [], 'the entries of an empty folder')
    await at.write('folder/x')
    same(await at.entries(at.path('to-folder')), [{ name: 'x', kind: 'file' }], 'the entries of a folder behind a link')
  })

  test('lists 300 entries, each once, and may be left early', async (at) => {
    await at.sh('for i in {1..300}; do : >"file $i"; done')
    const names = (await at.entries(at.folder)).map(({ name }) => name)
    same(names, Array.from({ length: 300 }, (_, i) => `file ${i + 1}`).sort(), 'the names')
    for (let round = 0; round < 5; round++) {
      let seen = 0
      for await (const _ of at.files.list(at.folder)) if (++seen === 3) break
      same(seen, 3, 'entries that were looked at')
    }
    same((await at.entries(at.folder)).length, 300, 'the number of entries when others have left early')
  })

  test('what is no folder cannot be listed', async (at) => {
    await at.write('file')
    await at.sh('mkfifo fifo; ln -s nowhere dangling')
    for (const [name, code] of Object.entries({
      nowhere: 'ENOENT',
      file: 'ENOTDIR',
      'file/x': 'ENOTDIR',
      fifo: 'ENOTDIR',
      dangling: 'ENOENT',
    }))
      await fails(at.entries(at.path(name)), code, `list of ${name}`)
  })

  test('makes a folder with all above it; one that is there is no failure', async (at) => {
    const path = at.path('a/b c/d')
    await at.files.makeFolder(path)
    same((await at.files.stat(path)).kind, 'folder', 'what was made')
    await at.write('a/b c/d/x', 'kept')
    await at.files.makeFolder(path)
    await at.files.makeFolder(at.path('a'))
    same(await at.text(`${path}/x`), 'kept', 'what is in it when it was made again')
    await at.sh('ln -s a link')
    await at.files.makeFolder(at.path('link/b c/e'))
    await at.files.makeFolder(at.path('link'))
    same(
      (await at.entries(at.path('a/b c'))).map(({ name }) => name),
      ['d', 'e'],
      'what was made behind a link',
    )
    isTrue(((await at.files.stat(path)).mode & 0o700) === 0o700, 'whoever has made a folder can work in it')
  })

  test('makes no folder where a file is in the way', async (at) => {
    await at.write('file', 'kept')
    await fails(at.files.makeFolder(at.path('file')), 'EEXIST', 'makeFolder of a file')
    await fails(at.files.makeFolder(at.path('file/x')), 'ENOTDIR', 'makeFolder below a file')
    await fails(at.files.makeFolder(at.path('file/x/y')), 'ENOTDIR', 'makeFolder two below a file')
    same(await at.text(at.path('file')), 'kept', 'the file')
  })
}
