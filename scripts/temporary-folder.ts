import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A run of the tests has one folder for all that is temporary, and takes it along when it ends. A process of tests is ended by a
 * signal, so it cannot do that itself: what it made for all its files would stay behind, some megabytes each time.
 */
export default function temporaryFolder(): () => void {
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'lena-tests-'))
  // As the one that it lies in: some tests start a process as another user.
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
