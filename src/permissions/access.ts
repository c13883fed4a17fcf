import type { Access } from '../tools/access.ts'
import type { GateRequest } from '../tools/gate.ts'
import { isObject } from '../util/json.ts'

/** Which input of a tool is a path. */
export type PathInput = { readonly key: string; readonly writes?: boolean | undefined }

export const knownPaths: Readonly<Record<string, PathInput>> = {
  read_file: { key: 'path' },
  list_dir: { key: 'path' },
  glob: { key: 'path' },
  grep: { key: 'path' },
  write_file: { key: 'path', writes: true },
  edit_file: { key: 'path', writes: true },
}

/** What the call touches; a tool that fails to say so may touch anything. */
export async function accessOf({ tool, input }: GateRequest, pathInputs: Readonly<Record<string, PathInput>>): Promise<Access> {
  if (typeof tool.access === 'function') {
    try {
      const said: unknown = await tool.access(input)
      if (isObject(said)) return said
    } catch {
      // It fails to say so.
    }
    return { isOpaque: true }
  }
  const known = Object.hasOwn(pathInputs, tool.name) ? pathInputs[tool.name] : undefined
  if (known) {
    const path = input[known.key] ?? '.'
    return typeof path === 'string' ? { paths: [{ path, writes: known.writes ?? false }] } : { isOpaque: true }
  }
  if (typeof input['command'] === 'string')
    return { commands: [{ text: input['command'], isOpen: false }], forms: [{ text: '', isOpen: true }], isOpaque: true }
  if (typeof input['url'] === 'string') return { url: input['url'] }
  return {}
}
