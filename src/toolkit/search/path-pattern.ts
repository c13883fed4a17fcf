import { globMatcher } from './glob-pattern.ts'

export type PathPattern = {
  readonly matches: (path: string) => boolean
  /** Options of ripgrep that leave out what cannot match by its name; `matches` decides. */
  readonly ripgrepArgs: readonly string[]
}

/**
 * A glob for paths below a folder. Without a slash it is compared with the name alone, at any depth; `./` in front ties it to the
 * folder itself.
 *
 * @throws {Error} for a pattern that leads out of the folder, or is none.
 */
export function pathPattern(pattern: string): PathPattern {
  const shown = JSON.stringify(pattern)
  if (pattern === '' || pattern.includes('\0'))
    throw new Error(`${shown} is no pattern for paths. Give one such as "*.ts" or "src/**/*.ts".`)
  if (pattern.startsWith('/') || pattern.startsWith('~/') || pattern.split('/').includes('..'))
    throw new Error(
      `The pattern ${shown} leads out of the folder. Patterns start from "path": give the folder there, and here what is below it.`,
    )
  const fromHere = pattern.replace(/^(\.\/+)+/, '')
  const matches = globMatcher(pattern.includes('/') ? fromHere : `**/${pattern}`)
  return { matches, ripgrepArgs: argsFor(fromHere.slice(fromHere.lastIndexOf('/') + 1)) }
}

/**
 * As a type of file: a `--glob` would bring back what ignore files name. Only what means the same there and here (a `?` is one byte
 * there), and neither `*` nor half of a pair of braces.
 */
function argsFor(name: string): readonly string[] {
  const isPlain = /^[\w.*-]*(\{[\w.*,-]*\}[\w.*-]*)?$/.test(name) && !/^\**$/.test(name)
  return isPlain ? [`--type-add=wanted:${name}`, '--type=wanted'] : []
}
