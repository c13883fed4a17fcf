import { localHost } from '../../../../src/toolkit/index.ts'
import type { FileSystem, Host } from '../../../../src/toolkit/index.ts'

/** This machine as if it were far away: nothing is known at once, and what is asked first comes last. */
export function slowHost(workspace: string): Host {
  const host = localHost({ workspace })
  let waiting: (() => void)[] = []
  const late = async <T>(answer: Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) > 1) return
      setImmediate(() => {
        const all = waiting.reverse()
        waiting = []
        for (const answered of all) answered()
      })
    })
    return await answer
  }
  const files: FileSystem = {
    ...host.files,
    realpath: (path) => late(host.files.realpath(path)),
    stat: (path) => late(host.files.stat(path)),
    atOnce: undefined,
  }
  return { ...host, files }
}
