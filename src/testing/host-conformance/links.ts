import type { AddTest } from './machine.ts'
import { fails, quoted, same } from './machine.ts'

/** `realpath` and `readlink`. */
export function testLinks(test: AddTest): void {
  test('realpath is the path without links', async (at) => {
    await at.write('file')
    await at.sh('mkdir -p a/b; touch a/b/x; ln -s a/b short; ln -s ../short/x a/second; ln -s "$PWD/a" whole')
    const { files, folder } = at
    for (const [name, real] of Object.entries({
      file: 'file',
      'a/b': 'a/b',
      short: 'a/b',
      'short/x': 'a/b/x',
      'a/second': 'a/b/x',
      'whole/second': 'a/b/x',
      'whole/b/x': 'a/b/x',
    }))
      same(await files.realpath(at.path(name)), at.path(real), `realpath of ${name}`)
    same(await files.realpath(folder), folder, 'realpath of the folder that `make` gave, which is to be one without links')
    same(await files.realpath('/'), '/', 'realpath of /')
  })

  test('realpath of what is not there, below a file, in a circle', async (at) => {
    await at.write('file')
    await at.sh('ln -s nowhere dangling; ln -s b a; ln -s a b')
    for (const [name, code] of Object.entries({ nowhere: 'ENOENT', dangling: 'ENOENT', 'file/x': 'ENOTDIR', a: 'ELOOP' }))
      await fails(at.files.realpath(at.path(name)), code, `realpath of ${name}`)
  })

  test('readlink is what is written in a link, to the character', async (at) => {
    const targets = [
      'file',
      '../up',
      '/abs/olute',
      'nowhere/at/all',
      'two  words ',
      "it's",
      'a\nb',
      'line end\n',
      '\n',
      '-n',
      '$(id)',
      'ä漢😀',
      '*',
      '\\',
    ]
    for (const [i, target] of targets.entries()) {
      await at.sh(`ln -s -- ${quoted(target)} link${i}`)
      same(await at.files.readlink(at.path(`link${i}`)), target, 'what is written in a link')
    }
  })

  test('readlink of what is no link is EINVAL', async (at) => {
    await at.write('file')
    await at.sh('mkdir folder; ln -s folder link; touch folder/x')
    for (const name of ['file', 'folder', 'link/x']) await fails(at.files.readlink(at.path(name)), 'EINVAL', `readlink of ${name}`)
    await fails(at.files.readlink(at.path('nowhere')), 'ENOENT', 'readlink of what is not there')
    await fails(at.files.readlink(at.path('file/x')), 'ENOTDIR', 'readlink below a file')
  })
}
