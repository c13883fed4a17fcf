import type { GateRequest } from '../tools/gate.ts'
import { isObject } from '../util/json.ts'

export type CommandForm = { readonly text: string; readonly isOpen: boolean }

/**
 * What one call touches, said by the tool itself (`access(input)`): what rules are compared with.
 */
export type Access = {
  /** Commands that it runs. Every one must be allowed for the call to be. With `isOpen` the text is only how it begins. */
  readonly commands?: readonly CommandForm[] | undefined
  /** All ways to name what it runs. One that is denied denies the call. Default: `commands`. */
  readonly forms?: readonly CommandForm[] | undefined
  /** Files, absolute or from the workspace. `isMentioned`: what it does with them is not known. */
  readonly paths?:
    | readonly { readonly path: string; readonly writes?: boolean | undefined; readonly isMentioned?: boolean | undefined }[]
    | undefined
  /** It may do more than can be seen in its input: rules with a pattern do not allow it. */
  readonly isOpaque?: boolean | undefined
  readonly url?: string | undefined
}

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
export function accessOf({ tool, input }: GateRequest, pathInputs: Readonly<Record<string, PathInput>>): Access {
  const { access } = tool as { readonly access?: unknown }
  if (typeof access === 'function') {
    try {
      const said: unknown = access(input)
      return isObject(said) ? said : { isOpaque: true }
    } catch {
      return { isOpaque: true }
    }
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
