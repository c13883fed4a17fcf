import { join } from 'node:path'
import { isInside } from '../../host/paths.ts'
import type { AccessPath } from '../../tools/access.ts'
import type { Calls } from './calls.ts'
import { readByGit } from './git-reads.ts'
import { goesThrough, showers } from './goes-through.ts'
import type { SimpleCommand } from './parse.ts'
import { takers } from './in-words.ts'
import { operandsOf, valuesOf } from './options.ts'
import { beforePattern, nothingLost } from './places.ts'
import type { Places } from './places.ts'
import { literal, nameOf, unknown as anything } from './words.ts'
import type { Word } from './words.ts'

const maxPaths = 1000
/** Parts of words that are looked up as if they named files. */
const maxGuesses = 1000

const here = literal('.')
/** Builtins that look at no folder. */
const still = /^(cd|pwd|echo|printf|true|false|:|test|\[|sleep|exit)$/

type Kind = Omit<AccessPath, 'path'>
const mentioned: Kind = { isMentioned: true }
const everything = (): boolean => true

/** The files that a command line names: what it opens, what its programs are given, and what lies below where they go through folders. */
export function pathsOf({ calls, commands, variables, lookedUp, isOpaque }: Calls, places: Places): readonly AccessPath[] {
  const names = [...variables, ...commands.flatMap(({ assignments }) => assignments.map((assigned) => assigned.name))]
  for (const name of names) places.sets(name)
  // Where git finds its files may be somewhere else.
  const isMoved = [...names, ...calls.flatMap(({ words }) => words.map(({ text }) => text))].some((text) => movesGit.test(text))
  if (calls.some(({ words }) => nameOf(words[0]) === 'shopt')) places.loosen()
  const paths = new Map<string, AccessPath>()
  const note = (path: string, kind: Kind): void => {
    const before = paths.get(path)
    paths.set(path, before ? both(before, { path, ...kind }) : { path, ...kind })
  }
  const versions = new Map<string, AccessPath>()
  const add = (word: Word, kind: Kind, unknown: Kind = kind): void => {
    if (nothingLost.test(word.text)) return
    const ends = paths.size < maxPaths ? places.leadsTo(word) : []
    for (const path of ends) note(path, path === '/' ? unknown : kind)
    // Somewhere that is not known lies outside, and so does what is too much to look at.
    if (ends.length === 0) note('/', unknown)
  }
  const list = (patterns: readonly Word[]): void => {
    for (const word of patterns) if (places.isOutside(word)) add(beforePattern(word), mentioned)
  }
  // In a folder outside every program reads that, or may.
  if (places.isOutside(here) && calls.some(({ words }) => !still.test(nameOf(words[0])))) add(here, mentioned)
  const guesses: Word[] = []
  for (const { words, command } of calls) {
    const name = nameOf(words[0])
    const args = words.slice(1)
    if (name === 'cd' || name === 'pushd') {
      const [folder] = operandsOf(args)
      // Without one it is the home folder; `-` is where it was before.
      if (name === 'cd' || folder) add(folder?.text === '-' ? anything : (folder ?? literal('~')), mentioned)
      places.enter(folder ?? (name === 'cd' ? literal('~') : undefined))
    } else if (name === 'popd') places.enter(undefined)
    // They open nothing; the names that a pattern finds they show.
    else if (/^(echo|printf|:)$/.test(name)) list(args.filter(({ isPattern }) => isPattern))
    else {
      // Any file of all may be shown.
      const unknown: Kind = showers.has(name) ? { ...mentioned, below: everything } : mentioned
      for (const word of args) {
        const value = word.text.startsWith('-') ? word.text.replace(/^(--?[\w-]+=|-[a-zA-Z](?=[/~.]))/, '') : word.text
        // A `$` that is quoted is one: a program for `awk`.
        if (!value.startsWith('-') && value !== '' && !word.isOpen && !isAddress(value))
          add({ ...word, text: value }, mentioned, /[$`]/.test(value) ? mentioned : unknown)
        else if (word.isOpen && /^["~/.]*[$`]|\//.test(value) && !value.startsWith('$(')) add(word, mentioned, unknown)
        // What `find` has found was looked at where it begins.
        else if (word.isOpen && showers.has(name) && !(word.text === '{}' && isFind(command))) note('/', { ...unknown, isGuess: true })
        if (word.isPattern && word.text.includes('**')) add(beforePattern(word), { ...mentioned, below: everything })
      }
      const through = goesThrough(name, args)
      for (const start of through?.starts ?? []) add(start, { ...mentioned, below: through!.wants, isGuess: through!.isGuess ?? false })
      guesses.push(...partsOf(takers.has(name) ? [...args, ...command.heredocs] : args), ...inFolders(args))
      if (isOfVersions(name, args)) for (const path of places.repositoriesOf()) versions.set(`3${path}`, { path, ...anyVersion })
      const toGit = name === 'git' ? args : name.startsWith('git-') ? [literal(name.slice(4)), ...args] : []
      for (const path of versions.size < maxPaths ? shownByGit(toGit, places, isMoved) : []) versions.set(keyOf(path), path)
      if (name === 'ln') linksOf(args, places)
    }
  }
  // What runs is not known, nor what it reads.
  if (isOpaque) versions.set('/', { path: '/', ...anyVersion })
  list(lookedUp)
  for (const { writesTo, readsFrom } of commands) {
    for (const word of writesTo) add(word, { writes: true })
    for (const word of readsFrom) add(word, mentioned)
  }
  const told = new Map(guesses.map((word) => [word.text, word]))
  if (told.size > maxGuesses) note('/', { ...mentioned, isGuess: true, below: everything })
  for (const word of [...told.values()].slice(0, maxGuesses))
    for (const path of places.leadsTo(word)) note(path, { ...mentioned, isGuess: true })
  // Nor with more than is looked at.
  if (versions.size >= maxPaths) versions.set('/', { path: '/', ...anyVersion })
  return [...paths.values(), ...versions.values()]
}

/** Variables that say where git keeps what it shows. */
const movesGit =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|CEILING_DIRECTORIES|CONFIG.*)(=|$)/s
/** Other programs that keep versions, when they show what is in them. */
const isOfVersions = (name: string, args: readonly Word[]): boolean =>
  name === 'tig' ||
  (/^(hg|jj|svn|bzr|sl|fossil|darcs)$/.test(name) &&
    args.some(({ text }) =>
      /^(diff|show|cat|export|archive|grep|interdiff|evolog|obslog|annotate|blame|bundle|file|-p|--patch)$/.test(text),
    ))
const guessed: Kind = { ...mentioned, isGuess: true }
const anyVersion: Kind = { ...guessed, below: everything, among: 'any' }
const keyOf = ({ path, below, among }: AccessPath): string => `${below ? (among ? (among === 'any' ? 3 : 2) : 1) : 0}${path}`
/** Paths that git is limited to; with more it counts as all of the repository. */
const maxSpecs = 100

/** What git may show that it is not given the name of. Rules that speak of it ask; where it lies does not matter. */
function shownByGit(args: readonly Word[], places: Places, isMoved: boolean): readonly AccessPath[] {
  const { kind, specs, names, folder } = readByGit(args, (word) => places.kindOf(word) !== undefined)
  if (kind === 'nothing') return []
  if (isMoved) return [{ path: '/', ...anyVersion }]
  const roots = folder === 'elsewhere' ? ['/'] : places.repositoriesOf(folder)
  const named = roots.flatMap((root) => names.map((name): AccessPath => ({ path: join(root, name), ...guessed })))
  if (kind === 'named') return named
  const limits = specs.length > maxSpecs ? [] : specs.map((word) => places.leadsTo(word))
  const isLimited = limits.length > 0 && limits.every((paths) => paths.length > 0)
  const starts = isLimited ? limits.flat() : roots
  if (kind === 'there') return [...named, ...starts.map((path) => ({ path, ...guessed, below: everything }))]
  const kept = kind === 'changes' ? roots.map((root) => [root, places.keptIn(root)] as const) : []
  if (kept.length > 0 && kept.every(([, among]) => among !== 'any'))
    return [
      ...named,
      ...kept.map(([path, among]) => {
        const below = (file: string): boolean => starts.some((start) => isInside(start, join(path, file)))
        return { path, ...guessed, below, among }
      }),
    ]
  // A file is named itself.
  const folders = isLimited ? limits.filter((_, index) => places.kindOf(specs[index]!) !== 'file').flat() : roots
  return [...named, ...folders.map((path) => ({ path, ...anyVersion }))]
}

const isFind = ({ words }: SimpleCommand): boolean => nameOf(words[0]) === 'find'

/** An address on the web is no file. */
const isAddress = (text: string): boolean => /^\w+:\/\//.test(text)

/** What stands in a word beside other things may name a file: `if=x`, `@x`, `HEAD:x`, `-fx`, a program for `sed`. */
const partsOf = (args: readonly Word[]): readonly Word[] =>
  args.flatMap((word) => {
    if (isAddress(word.text)) return []
    if (word.isOpen)
      return /[({`]/.test(word.text)
        ? []
        : word.text
            .split(/[=:,@]/)
            .slice(0, maxGuesses)
            .map((text) => ({ ...word, text }))
    const joined = /^-[a-zA-Z](?=[^-=])/.test(word.text) ? [word.text.slice(2)] : []
    const parts = /[\s=@:,;<>()'"|&{}]/.test(word.text) ? word.text.split(/[\s=@:,;<>()'"|&{}]+/) : []
    return [...joined, ...parts.slice(0, maxGuesses)].flatMap((text) => (/^[^-].*\w|^\w/.test(text) ? [{ ...word, text }] : []))
  })

/** Where a program goes first (`env -C x cat y`), its arguments count from there. */
function inFolders(args: readonly Word[]): readonly Word[] {
  const folders = valuesOf(args, 'C', 'chdir', 'directory').filter(({ text, isOpen }) => !isOpen && text !== '')
  return folders.flatMap((folder) =>
    args
      .filter(({ text, isOpen }) => !isOpen && /^[^-/~]/.test(text))
      .map((word) => ({ ...word, text: `${folder.text}/${word.text}`, isPattern: word.isPattern || folder.isPattern })),
  )
}

/** The script makes a link, and may then read through it. */
function linksOf(args: readonly Word[], places: Places): void {
  const [target, name] = operandsOf(args).slice(-2)
  if (target) places.link(target, name)
}

/** Two ways to touch one file: the sure one counts, and what each does. */
function both(one: AccessPath, other: AccessPath): AccessPath {
  const wants = [one.below, other.below].flatMap((below) => below ?? [])
  return {
    path: one.path,
    writes: (one.writes ?? false) || (other.writes ?? false),
    isMentioned: (one.isMentioned ?? false) && (other.isMentioned ?? false),
    isGuess: (one.isGuess ?? false) && (other.isGuess ?? false),
    ...(wants.length > 0 && { below: wants.includes(everything) ? everything : (path: string) => wants.some((below) => below(path)) }),
  }
}
