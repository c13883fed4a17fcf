import type { AddTest } from './machine.ts'
import { fails } from './machine.ts'

/** What the user may do. */
export function testRights(test: AddTest): void {
  test('a file that the user may write is writable; what is not there is ENOENT', async (at) => {
    await at.write('file')
    await at.sh('ln -s nowhere dangling')
    await at.files.checkWritable(at.path('file'))
    await fails(at.files.checkWritable(at.path('nowhere')), 'ENOENT', 'checkWritable of what is not there')
    await fails(at.files.checkWritable(at.path('dangling')), 'ENOENT', 'checkWritable of a link that leads nowhere')
    await fails(at.files.checkWritable(at.path('file/x')), 'ENOTDIR', 'checkWritable below a file')
  })

  test('what the user may not do is EACCES (root may do all)', async (at) => {
    if (await at.isRoot()) return
    const { files } = at
    await at.sh(
      'touch fixed secret; mkdir closed full; touch closed/x full/x; chmod 444 fixed; chmod 000 secret closed; chmod 555 full; touch free',
    )
    try {
      await fails(files.checkWritable(at.path('fixed')), 'EACCES', 'checkWritable of a file with the mode 444')
      await fails(files.open(at.path('secret')), 'EACCES', 'open of a file with the mode 000')
      await fails(at.entries(at.path('closed')), 'EACCES', 'list of a folder with the mode 000')
      for (const name of ['stat', 'lstat', 'open', 'realpath', 'checkWritable', 'remove'] as const)
        await fails(files[name](at.path('closed/x')), 'EACCES', `${name} in a folder with the mode 000`)
      await fails(files.create(at.path('full/new')), 'EACCES', 'create in a folder with the mode 555')
      await fails(files.makeFolder(at.path('full/new/x')), 'EACCES', 'makeFolder in a folder with the mode 555')
      await fails(files.remove(at.path('full/x')), 'EACCES', 'remove in a folder with the mode 555')
      await fails(files.rename(at.path('free'), at.path('full/x')), 'EACCES', 'rename into a folder with the mode 555')
    } finally {
      await at.sh('chmod 755 closed full')
    }
  })
}
