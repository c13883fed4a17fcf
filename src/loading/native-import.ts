import { join } from 'node:path'
import { Script, constants } from 'node:vm'

/**
 * Imports as a module of `folder` would: Node itself looks the package up from there. Node says on the error stream that the way
 * is experimental, so it is the second best.
 */
export function importFrom(folder: string, specifier: string): Promise<unknown> {
  const script = new Script('(specifier) => import(specifier)', {
    filename: join(folder, 'tools.js'),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return (script.runInThisContext() as (specifier: string) => Promise<unknown>)(specifier)
}

export const codeOf = (error: unknown): string | undefined => {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}

/** A module graph that Node cannot link. Nothing of it has run yet, so another loader may try. */
export const isUnlinked = (error: unknown): boolean =>
  [
    'ERR_UNKNOWN_FILE_EXTENSION',
    'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
    'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
    'ERR_UNSUPPORTED_DIR_IMPORT',
    'ERR_MODULE_NOT_FOUND',
  ].includes(codeOf(error) ?? '')
