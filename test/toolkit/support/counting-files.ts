import type { Host } from '../../../src/toolkit/index.ts'
import { localHost } from '../../../src/toolkit/index.ts'

/** This machine, with a count of the files that are open: whoever opens one must close it. */
export function countingFiles(): { readonly host: Host; readonly opened: () => number; readonly open: () => number } {
  const here = localHost()
  let opened = 0
  let open = 0
  return {
    opened: () => opened,
    open: () => open,
    host: {
      ...here,
      files: {
        ...here.files,
        async open(path) {
          const file = await here.files.open(path)
          opened++
          open++
          return {
            stat: () => file.stat(),
            read: (into, position) => file.read(into, position),
            async close() {
              open--
              await file.close()
            },
          }
        },
      },
    },
  }
}
