import { localHost } from '../../../src/toolkit/index.ts'
import type { Host } from '../../../src/toolkit/index.ts'

type Kind = 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device' | 'other'

/** This machine, but with such entries in each folder. `onEntry` is told of each that is asked for. */
export function holdingHost(entries: readonly { readonly name: string; readonly kind: Kind }[], onEntry = (): void => {}): Host {
  const here = localHost()
  async function* list() {
    for (const entry of entries) {
      onEntry()
      yield entry
    }
  }
  return { ...here, files: { ...here.files, list } }
}
