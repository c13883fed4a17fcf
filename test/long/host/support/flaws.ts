import type { CommandEnd, CommandRequest, FileStats, FileSystem, Host } from 'lena-agent/toolkit'

export type Flaw = (good: Host) => Host
export const files =
  (flaw: (good: FileSystem) => Partial<FileSystem>): Flaw =>
  (good) => ({ ...good, files: { ...good.files, ...flaw(good.files) } })
export const stats = (change: (stats: FileStats) => Partial<FileStats>): Flaw =>
  files((good) => ({
    stat: async (path) => told(await good.stat(path), change),
    lstat: async (path) => told(await good.lstat(path), change),
  }))
const told = (stats: FileStats, change: (stats: FileStats) => Partial<FileStats>): FileStats => ({ ...stats, ...change(stats) })
export const commands =
  (change: (request: CommandRequest) => Partial<CommandRequest>, end: (end: CommandEnd) => Partial<CommandEnd> = () => ({})): Flaw =>
  (good) => ({
    ...good,
    run: async (request) => {
      const ended = await good.run({ ...request, ...change(request) })
      return { ...ended, ...end(ended) }
    },
  })
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Comes back in time, and ends nothing. */
export function letsGo(good: Host): Host {
  return {
    ...good,
    async run(request) {
      if (request.timeoutMs > 5000) return await good.run(request)
      const running = good.run({ ...request, timeoutMs: 60_000, signal: new AbortController().signal })
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, request.timeoutMs))])
      return { why: 'timeout', exitCode: 143, isHeld: false, left: [] }
    },
  }
}
