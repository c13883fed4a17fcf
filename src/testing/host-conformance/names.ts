import type { AddTest } from './machine.ts'
import { fails, same } from './machine.ts'

/** Names that a script would take for something else, if it were given them as a text. */
const odd = [
  [' ', 'two  words', ' at both ends ', 'a\tb', "it's", "''", 'say "x"', '`id`', '$(id)', '$HOME', '${HOME}', '~', '!!', '#', '%s', '%'],
  [
    'a\nb',
    '\n',
    'line end\n',
    '\\',
    'a\\nb',
    '\\\n',
    '-n',
    '--',
    '-rf',
    '-',
    '*',
    '?',
    '[a]',
    '{a,b}',
    'a;b',
    'a&b',
    'a|b',
    'a>b',
    '(',
    '=',
  ],
  ['...', '.-', ':', 'ä漢😀', 'שלום', '\u0001', '\u001b[31m', '\u202e', 'x'.repeat(255)],
].flat()
/** Many at a time would be no test of names. */
const atOnce = 5

/** Names of files and folders are any characters but the slash and NUL. */
export function testNames(test: AddTest): void {
  const forEach = async (names: readonly string[], check: (name: string) => Promise<void>): Promise<void> => {
    const left = [...names]
    while (left.length > 0) await Promise.all(left.splice(0, atOnce).map(check))
  }

  test('files may have any name', async (at) => {
    const { files } = at
    await forEach(odd, async (name) => {
      const path = await at.write(name, name)
      const { kind, size } = await files.lstat(path)
      same([kind, Number(size)], ['file', new TextEncoder().encode(name).length], `lstat of a file with the name ${JSON.stringify(name)}`)
      same([await files.realpath(path), await at.text(path)], [path, name], `realpath and content of ${JSON.stringify(name)}`)
      await files.checkWritable(path)
    })
    const names = (await at.entries(at.folder)).map(({ name }) => name)
    same(names, [...odd].sort(), 'the names in the folder')
    await at.files.makeFolder(at.path('moved'))
    await forEach(odd, async (name) => {
      await files.rename(at.path(name), at.path(`moved/${name}`))
      same(await at.text(at.path(`moved/${name}`)), name, `what was moved to ${JSON.stringify(name)}`)
      await files.remove(at.path(`moved/${name}`))
    })
    same(await at.entries(at.folder), [{ name: 'moved', kind: 'folder' }], 'what is left when all were moved and removed')
    same(await at.entries(at.path('moved')), [], 'what is left of what was moved')
  })

  test('folders may have any name', async (at) => {
    await forEach(odd, async (name) => {
      await at.files.makeFolder(at.path(`${name}/${name}`))
      await at.write(`${name}/${name}/x`, name)
      same(await at.entries(at.path(name)), [{ name, kind: 'folder' }], `what is in the folder ${JSON.stringify(name)}`)
      same(
        await at.entries(at.path(`${name}/${name}`)),
        [{ name: 'x', kind: 'file' }],
        `what is in the folder ${JSON.stringify(name)} in itself`,
      )
    })
    same(
      (await at.entries(at.folder)).map(({ name }) => name),
      [...odd].sort(),
      'the names in the folder',
    )
  })

  test('a name that is longer than names can be is no way to anything', async (at) => {
    const path = at.path('x'.repeat(256))
    for (const name of ['lstat', 'open', 'create', 'makeFolder'] as const)
      await fails(at.files[name](path), 'ENAMETOOLONG', `${name} of a name of 256 characters`)
  })
}
