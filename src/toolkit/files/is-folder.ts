import type { FileSystem } from '../../host/file-system.ts'

/** Is there a folder, or a link to one? */
export const isFolder = (files: FileSystem, path: string): Promise<boolean> =>
  files.stat(path).then(
    ({ kind }) => kind === 'folder',
    () => false,
  )
