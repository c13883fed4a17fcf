import type { FSWatcher } from 'chokidar'
import type * as Chokidar from 'chokidar'
import { dirname } from 'node:path'

export type FolderWatch = {
  /** Watches these folders from now on; the new ones beside the old ones. */
  add(folders: Iterable<string>): void
  close(): Promise<void>
}

export type FolderWatchOptions = {
  /** The folder, or the file, that may come and go as a whole. */
  readonly root: string
  /** Something may have changed. Says not what: who is told looks for himself. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Watches what lies directly in some folders. An event is a hint alone, because events are lost and come double on every system. */
export function watchFolders({ watch }: typeof Chokidar, { root, onChange, onError }: FolderWatchOptions): FolderWatch {
  const above = dirname(root)
  const watched = new Set<string>([root])
  let closing: Promise<void> = Promise.resolve()
  let isClosed = false
  let watcher: FSWatcher

  const open = (): void => {
    // `above` shows whether the root is there, and its other entries do not matter.
    const isIgnored = (path: string): boolean => dirname(path) === above && path !== root && !watched.has(above) && !watched.has(path)
    watcher = watch([above, ...watched], { depth: 0, ignoreInitial: true, ignored: isIgnored, ignorePermissionErrors: true })
    watcher.on('ready', onChange)
    watcher.on('error', onError)
    watcher.on('raw', (_event, _path, details) => {
      if ((details as { readonly watchedPath?: string } | undefined)?.watchedPath !== above || watched.has(above)) onChange()
    })
    watcher.on('all', (event, path) => {
      // A folder that comes back is another one: what watched it is bound to the old one.
      if (event.endsWith('Dir') && watched.has(path)) reopen()
      onChange()
    })
  }
  const reopen = (): void => {
    if (isClosed) return
    const old = watcher
    closing = closing.then(() => old.close())
    open()
  }
  open()

  return {
    add: (folders) => {
      const fresh = [...folders].filter((folder) => !watched.has(folder))
      for (const folder of fresh) watched.add(folder)
      if (fresh.length === 0 || isClosed) return
      if (fresh.includes(above)) reopen()
      else watcher.add(fresh)
      // What changed before it was watched.
      onChange()
    },
    close: async () => {
      isClosed = true
      await Promise.all([closing, watcher.close()])
    },
  }
}
