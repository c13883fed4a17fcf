import { dirname } from 'node:path'
import type { JsonObject } from '../util/json.ts'
import type { Access, AccessPath, CommandForm } from '../tools/access.ts'
import { isInside } from '../host/paths.ts'
import { holdsBelow, mayHoldBelow } from './below.ts'
import type { Denied } from './below.ts'
import { Glob } from './glob.ts'
import type { PrefixFit } from './glob.ts'
import { folded } from './paths.ts'
import type { Ground, Located } from './paths.ts'
import type { Rule } from './rules.ts'

/** What a call touches, paths followed. */
export type Touched = {
  readonly access: Access
  readonly input: JsonObject
  readonly ground: Ground
  readonly paths: readonly (Pick<AccessPath, 'below' | 'among'> & {
    readonly given: string
    readonly located: Located | undefined
    readonly writes: boolean
    readonly isMentioned: boolean
    readonly isGuess: boolean
  })[]
}

/** Does a rule that holds a call back speak of it? `maybe` where what is not known yet could decide so. */
export function speaksAgainst({ pattern }: Rule, touched: Touched): PrefixFit {
  const { access, paths } = touched
  if (pattern === undefined) return 'always'
  if (access.commands)
    return worst(
      (access.forms ?? access.commands).map((form) => fitOf(pattern, form)),
      access.isOpaque,
    )
  if (paths.length > 0)
    return worst(
      paths.map(({ located }) => pathFit(pattern, located, touched.ground)),
      false,
    )
  if (access.url !== undefined) return urlFit(pattern, access.url)
  return new Glob(pattern).matches(JSON.stringify(touched.input)) ? 'always' : access.isOpaque ? 'maybe' : 'never'
}

/** Does a rule about files speak against a command line that names them? */
export function speaksAgainstFiles({ pattern }: Rule, touched: Touched, isAboutWrites: boolean, isReadOnly: boolean): PrefixFit {
  if (pattern === undefined) return 'never'
  const denied = deniedIn(pattern, touched.ground)
  const fits = touched.paths.flatMap(({ located, writes, isMentioned, isGuess, below, among }): PrefixFit[] => {
    if (isAboutWrites ? !writes && (isReadOnly || !isMentioned) : false) return []
    const fit = fitOfPath(denied.globs, located)
    if (fit === 'always') return [isGuess || (isAboutWrites && !writes) ? 'maybe' : 'always']
    if (!located || isAboutWrites || !below) return ['never']
    const holds = among ? mayHoldBelow(denied, located.names, below, among) : holdsBelow(touched.ground.look, denied, located.names, below)
    return [holds ? 'maybe' : 'never']
  })
  return worst(fits, false)
}

/** Files that a call which looks through a folder must leave out: those that a rule speaks of, and not of the folder itself. */
export function speaksOfFile(patterns: readonly string[], { paths, ground }: Touched): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => pathGlobs(pattern, ground, folded))
  return (path) => {
    const names = paths.flatMap(({ located }) =>
      located && isInside(located.end, path) ? located.names.map((name) => name + path.slice(located.end.length)) : [],
    )
    return [path, ...names].some((name) => globs.some((glob) => glob.matches(folded(name))))
  }
}

/** Do the rules that allow cover all of the call? */
export function isCovered(rules: readonly Rule[], touched: Touched): boolean {
  if (rules.some(({ pattern }) => pattern === undefined)) return true
  const patterns = rules.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
  const { access, paths, ground, input } = touched
  if (patterns.length === 0 || access.isOpaque) return false
  if (access.commands) {
    // A file that it opens for writing is no part of what was allowed.
    if (paths.some(({ writes }) => writes)) return false
    return access.commands.every(({ text, isOpen }) => !isOpen && patterns.some((pattern) => matchesCommand(pattern, text)))
  }
  if (paths.length > 0)
    return paths.every(({ located }) => {
      // The link and what it leads to.
      const ends = located && [located.entry, located.end]
      return ends?.every((end) => patterns.some((pattern) => pathGlobs(pattern, ground, String).some((glob) => glob.matches(end)))) ?? false
    })
  if (access.url !== undefined) return patterns.some((pattern) => allowsUrl(pattern, access.url!))
  const text = JSON.stringify(input)
  return patterns.some((pattern) => new Glob(pattern).matches(text))
}

/** `npm run *` is `npm run`, too, but never `npm runner`. */
const matchesCommand = (pattern: string, text: string): boolean =>
  new Glob(pattern).matches(text) || (pattern.endsWith(' *') && new Glob(pattern.slice(0, -2)).matches(text))

function fitOf(pattern: string, { text, isOpen, isGuess = false }: CommandForm): PrefixFit {
  const fit = isOpen ? new Glob(pattern).fitsBeginning(text) : matchesCommand(pattern, text) ? 'always' : 'never'
  return isGuess && fit === 'always' ? 'maybe' : fit
}

function pathFit(pattern: string, located: Located | undefined, ground: Ground): PrefixFit {
  return fitOfPath(pathGlobs(pattern, ground, folded), located)
}

function fitOfPath(globs: readonly Glob[], located: Located | undefined): PrefixFit {
  if (!located) return 'maybe'
  return located.names.some((name) => globs.some((glob) => glob.matches(folded(name)))) ? 'always' : 'never'
}

/** From the workspace unless absolute; `~` is the home folder; `docs/**` is `docs`, too. */
function pathGlobs(pattern: string, ground: Ground, spell: (path: string) => string): readonly Glob[] {
  const home = /^~(?=\/|$)/.test(pattern)
  const base = (home ? ground.home : ground.workspace).replace(/[\\*?]/g, (char) => `\\${char}`)
  const rest = home ? pattern.slice(2) : pattern.replace(/^\.\//, '')
  const whole = spell(pattern.startsWith('/') ? pattern : rest === '' || rest === '.' ? base : `${base === '/' ? '' : base}/${rest}`)
  const isTree = whole.endsWith('/**')
  return [new Glob(whole, { isPath: true }), ...(isTree ? [new Glob(whole.slice(0, -3), { isPath: true })] : [])]
}

function deniedIn(pattern: string, ground: Ground): Denied {
  const globs = pathGlobs(pattern, ground, folded)
  if (/^~(?=\/|$)/.test(pattern)) return { globs, base: ground.home }
  if (!pattern.startsWith('/')) return { globs, base: ground.workspace }
  return { globs, base: dirname(`${pattern.split(/[\\*?]/)[0]}x`) }
}

/** Does a rule that holds back speak of this address? Its port, and a name before an `@`, are no way around the rule. */
function urlFit(pattern: string, url: string): PrefixFit {
  const parsed = parse(url)
  if (!parsed) return 'maybe'
  return hostsOf(parsed).some((host) => matchesUrl(pattern, parsed, host)) ? 'always' : 'never'
}

function allowsUrl(pattern: string, url: string): boolean {
  const parsed = parse(url)
  if (!parsed || parsed.username !== '' || parsed.password !== '') return false
  return matchesUrl(pattern, parsed, hostsOf(parsed)[0]!)
}

/** With the port and without it. A dot at the end of a name changes nothing. */
function hostsOf({ hostname, port }: URL): readonly string[] {
  const name = hostname.replace(/\.+$/, '')
  return port === '' ? [name] : [`${name}:${port}`, name]
}

/**
 * The host is compared on its own, so that a `*` in it cannot reach into the path. What the pattern leaves out may be anything:
 * `example.com` is every page of the host.
 */
function matchesUrl(pattern: string, { protocol, pathname, search }: URL, url: string): boolean {
  const [, scheme = '*', host = '', path = '*'] = /^(?:([a-z*]+):\/\/)?([^/]*)(\/.*)?$/is.exec(pattern) ?? []
  const matches = (part: string, text: string): boolean => new Glob(part).matches(text)
  return (
    host !== '' &&
    matches(scheme.toLowerCase(), protocol.slice(0, -1)) &&
    matches(host.toLowerCase(), url) &&
    matches(path, `${pathname}${search}`)
  )
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

function worst(fits: readonly PrefixFit[], isOpaque: boolean | undefined): PrefixFit {
  if (fits.includes('always')) return 'always'
  return fits.includes('maybe') || isOpaque ? 'maybe' : 'never'
}
