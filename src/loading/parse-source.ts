import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Source =
  | { readonly kind: 'path'; readonly path: string; readonly exportName: string | undefined }
  | { readonly kind: 'package'; readonly specifier: string; readonly exportName: string | undefined }

/**
 * What a string names. As for Node, a path begins with `./`, `../`, `/`, a drive letter or `file:`, and all else is a package.
 * The name of an export stands behind the last colon.
 */
export function parseSource(source: string, cwd: string): Source {
  // One letter before a colon is a drive, and two slashes behind it are a URL: neither divides.
  const divided = /^(\.|.{2,}):([\p{ID_Start}$_][\p{ID_Continue}$]*)$/su.exec(source)
  const [place, exportName] = divided ? [divided[1]!, divided[2]!] : [source, undefined]
  if (/^file:\/\//i.test(place)) return { kind: 'path', path: fileURLToPath(place), exportName }
  return /^(\.{1,2}([\\/]|$)|[\\/]|[a-z]:[\\/])/i.test(place)
    ? { kind: 'path', path: resolve(cwd, place), exportName }
    : { kind: 'package', specifier: place, exportName }
}
