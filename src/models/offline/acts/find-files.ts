import { code } from '../language/english.ts'
import type { Files, NamePattern } from '../language/names.ts'
import { baseName, inFolder } from '../language/names.ts'
import type { Got, Site } from '../site.ts'
import { got, lacking, look, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'
import { all } from '../work.ts'
import { listDir } from './list-dir.ts'
import { run, shellWord } from './shell.ts'

export type Found = { readonly paths: readonly string[]; readonly complete: boolean }

/** Never looked into: what others made, and what git keeps for itself. */
export const skippedFolders: readonly string[] = ['node_modules', '.git']

/** How many folders, and how deep, are looked through where only `list_dir` is offered. */
const maxFolders = 100
const maxDepth = 6

/** Files below a folder whose names match, by `glob`, `find`, or folder by folder. */
export function* findFiles(site: Site, { globs, said }: NamePattern, folder: string): Work<Got<Found>> {
  const aim = folder === '.' ? `find ${said}` : `find ${said} in ${code(folder)}`
  if (site.tools.has('glob')) {
    const outcomes = yield* all(
      globs.map((glob) => look(site, { tool: 'glob', input: { pattern: `**/${glob}`, ...(folder !== '.' && { path: folder }) } })),
    )
    const refused = outcomes.find(({ status }) => status === 'error')
    if (refused) return refusal(refused, aim)
    return got(merged(outcomes.map(({ text }) => pathsIn(text))))
  }
  if (site.tools.has('shell')) {
    const names = globs.map((glob) => `-name ${quotedGlob(glob)}`).join(' -o ')
    const skipped = skippedFolders.map((name) => `-not -path '*/${name}/*'`).join(' ')
    const ran = yield* run(
      site,
      `find ${shellWord(folder.startsWith('-') ? `./${folder}` : folder)} -type f ${globs.length > 1 ? `\\( ${names} \\)` : names} ${skipped}`,
      aim,
      'looks',
    )
    if (!ran.ok) return ran
    const found = pathsIn(ran.value.output)
    if (ran.value.exitCode !== 0 && found.paths.length === 0) return refusal({ status: 'error', text: ran.value.output }, aim)
    return got({ paths: found.paths, complete: !ran.value.cut && ran.value.exitCode === 0 })
  }
  if (site.tools.has('list_dir')) return yield* findByListing(site, globs, folder)
  return notOffered(['glob', 'list_dir', 'shell'], aim)
}

function* findByListing(site: Site, globs: readonly string[], folder: string): Work<Got<Found>> {
  const matchers = globs.map(matcherOf)
  const paths: string[] = []
  let complete = true
  let looked = 0
  let level: readonly string[] = [folder]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth || looked + level.length > maxFolders) {
      complete = false
      break
    }
    looked += level.length
    const listings: readonly Got<{
      readonly path: string
      readonly entries: readonly { readonly name: string; readonly isFolder: boolean }[]
      readonly complete: boolean
    }>[] = yield* all(level.map((path) => listDir(site, path)))
    const next: string[] = []
    for (const listing of listings) {
      if (!listing.ok && depth === 0) return listing
      if (!listing.ok || !listing.value.complete) complete = false
      if (!listing.ok) continue
      for (const { name, isFolder } of listing.value.entries) {
        if (isFolder && !skippedFolders.includes(name)) next.push(inFolder(listing.value.path, name))
        else if (!isFolder && matchers.some((matches) => matches(name))) paths.push(inFolder(listing.value.path, name))
      }
    }
    level = next
  }
  return got({ paths: paths.sort(), complete })
}

/** The paths that a set of files stands for. */
export function* pathsOf(site: Site, files: Files): Work<Got<Found>> {
  switch (files.type) {
    case 'named':
      return got({ paths: files.paths, complete: true })
    case 'found': {
      const paths = site.previous?.files
      return paths ? got({ paths, complete: true }) : lacking('No files were found that this could be about.')
    }
    case 'matching': {
      const found = yield* findFiles(site, files.pattern, files.folder)
      if (found.ok && found.value.paths.length === 0)
        return lacking(`There are no ${files.pattern.said} ${files.folder === '.' ? 'here' : `in ${code(files.folder)}`}.`)
      return found
    }
    case 'known':
      return yield* knownFile(site, files.stem, files.folder)
    case 'several': {
      const founds = yield* all(files.sets.map((set) => pathsOf(site, set)))
      const refused = founds.find((found) => !found.ok)
      return (
        refused ??
        got({
          paths: [...new Set(founds.flatMap((found) => (found.ok ? found.value.paths : [])))],
          complete: founds.every((found) => found.ok && found.value.complete),
        })
      )
    }
  }
}

function* knownFile(site: Site, stem: string, folder: string): Work<Got<Found>> {
  // Without a look at the folder the plain name is as good a guess as any.
  if (!site.tools.has('list_dir') && !site.tools.has('shell')) return got({ paths: [inFolder(folder, stem)], complete: true })
  const listing = yield* listDir(site, folder)
  if (!listing.ok) return listing
  const named = listing.value.entries.filter(
    ({ name, isFolder }) => !isFolder && name.toLowerCase().replace(/\.[a-z]+$/, '') === stem.toLowerCase(),
  )
  const best = named.find(({ name }) => /\.md$/i.test(name)) ?? named.find(({ name }) => !name.includes('.')) ?? named[0]
  const where = folder === '.' ? 'this folder' : code(folder)
  return best ? got({ paths: [inFolder(folder, best.name)], complete: true }) : lacking(`There is no ${stem} file in ${where}.`)
}

/** Reads a list of paths, one a line; notes around it may say that it is not all. */
function pathsIn(shown: string): Found {
  const paths: string[] = []
  let complete = true
  for (const row of shown.split('\n')) {
    const line = row.trim()
    if (line === '' || /^(?:find|ls): /.test(line)) continue
    if (/^[[(<…].* .*[\])>.…]$|^no (?:files?|matches|match)\b/i.test(line)) {
      if (!/^[[(]?no\b/i.test(line)) complete = false
      continue
    }
    paths.push(line.split('\t')[0]!.replace(/^\.\//, ''))
  }
  return { paths: paths.sort(), complete }
}

const merged = (founds: readonly Found[]): Found => ({
  paths: [...new Set(founds.flatMap(({ paths }) => paths))].sort(),
  complete: founds.every(({ complete }) => complete),
})

const quotedGlob = (glob: string): string => `'${glob.replaceAll("'", `'\\''`)}'`

/** Does a name match a glob with `*` and `?`? */
function matcherOf(glob: string): (path: string) => boolean {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const form = new RegExp(`^${source}$`)
  return (path) => form.test(baseName(path))
}
