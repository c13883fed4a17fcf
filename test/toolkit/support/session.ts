import { readFile as read } from 'node:fs/promises'
import { join } from 'node:path'
import { toolkit } from '../../../src/toolkit/index.ts'
import type { ToolkitOptions } from '../../../src/toolkit/index.ts'
import { workspaceWith } from './workspace.ts'

type SessionOptions = ToolkitOptions & { readonly unread?: boolean | undefined }

/** The tools of one session in a workspace with the file `a.txt`, which was read. */
export async function session(content: string | Uint8Array, { unread, ...options }: SessionOptions = {}) {
  const workspace = await workspaceWith({ 'a.txt': content })
  const kit = toolkit({ workspace, ...options })
  const context = { signal: new AbortController().signal } as never
  const call = async (name: string, input: object): Promise<string> =>
    (await kit.find((tool) => tool.name === name)!.run(input, context)) as string
  const readTool = (path = 'a.txt', window: { readonly offset?: number; readonly limit?: number } = {}) =>
    call('read_file', { path, ...window })
  if (unread !== true) await readTool().catch(() => {})
  const path = join(workspace, 'a.txt')
  return {
    workspace,
    path,
    undo: kit.undo,
    readTool,
    edit: (input: object) => call('edit_file', { path: 'a.txt', ...input }),
    write: (text: string, to = 'a.txt') => call('write_file', { path: to, content: text }),
    text: () => read(path, 'utf8'),
    bytes: () => read(path),
  }
}
