import { isInside } from '../host/paths.ts'
import type { Access } from '../tools/access.ts'
import type { GateRequest } from '../tools/gate.ts'
import type { PathInput } from './access.ts'
import type { Glob } from './glob.ts'
import { isCovered, speaksAgainst, speaksAgainstFiles, speaksOfFile } from './match.ts'
import type { Touched } from './match.ts'
import { folded, hasOtherNames, locate } from './paths.ts'
import type { Ground } from './paths.ts'
import { isProtected } from './protected.ts'
import type { CompiledRule, Rule } from './rules.ts'

export type PermissionMode = 'default' | 'plan' | 'accept_edits' | 'bypass'

export type Policy = {
  readonly mode: PermissionMode
  readonly rules: readonly CompiledRule[]
  readonly ground: Ground
  readonly pathInputs: Readonly<Record<string, PathInput>>
  /** Files that are protected beside those that always are. */
  readonly protectedPaths: readonly Glob[]
  readonly isPersisted: (path: string) => boolean
}

/** Files that the call must leave out, where it may run. */
type Withholds = ((path: string) => boolean) | undefined

/** What is said of a call without asking anybody. */
export type Decision =
  | { readonly decision: 'allow'; readonly withholds: Withholds }
  | { readonly decision: 'deny'; readonly reason: string }
  /** `mayRemember`: a rule that allows it would be heard the next time. */
  | {
      readonly decision: 'ask'
      readonly reason: string
      readonly mayRemember: boolean
      readonly touched: Touched
      readonly withholds: Withholds
    }

/**
 * The first that speaks: deny rule, plan, destructive, ask rule, outside and protected, read-only, allow rule, mode.
 *
 * @param access what the call touches.
 */
export function decide(request: GateRequest, access: Access, policy: Policy): Decision {
  const { tool, flags } = request
  const { mode } = policy
  const touched = touchedBy(request, access, policy.ground)
  const withholds = withheldFrom(request, policy, touched)
  const ask = (reason: string, mayRemember = false): Decision => ({ decision: 'ask', reason, mayRemember, touched, withholds })
  const allow: Decision = { decision: 'allow', withholds }
  const about = policy.rules.filter((rule) => rule.tool.matches(tool.name)).map(({ rule }) => rule)

  const held = [heldBack('deny', request, policy, touched, about), heldBack('ask', request, policy, touched, about)] as const
  if (held[0]?.isSure) return { decision: 'deny', reason: deniedBy(held[0].rule, tool.name) }
  // An agent does nothing itself, and each of its calls comes before the same gates.
  const isAgent = tool.passesSteps === true
  if (mode === 'plan' && !flags.readOnly && !isAgent)
    return {
      decision: 'deny',
      reason: `The call of ${tool.name} was refused: in plan mode only what reads may run. Say what you would do instead.`,
    }
  if (flags.destructive) return ask('What it does may not be undone.')
  if (held[0]) return ask(doubtOf(held[0].rule, touched))
  if (held[1]) return ask(held[1].rule.reason ?? `A rule asks for ${held[1].rule.tool}${patternOf(held[1].rule)}.`)
  const place = placeReason(touched, policy)
  if (place !== undefined) return ask(place)
  if (flags.readOnly || isAgent) return allow
  if (
    isCovered(
      about.filter(({ decision }) => decision === 'allow'),
      touched,
    )
  )
    return allow
  if (mode === 'bypass') return allow
  if (mode === 'accept_edits' && isEdit(touched)) return allow
  return ask('It may change something.', true)
}

const patternOf = ({ pattern }: Rule): string => (pattern === undefined ? '' : `(${pattern})`)

const doubtOf = (rule: Rule, { paths }: Touched): string =>
  `It cannot be told whether the rule against ${rule.tool}${patternOf(rule)} speaks of it.${
    paths.some(({ below }) => below) ? ' It may read what the rule denies; grep and glob leave that out.' : ''
  }`

const deniedBy = (rule: Rule, name: string): string =>
  `The call of ${name} was refused by a rule: ${rule.tool}${patternOf(rule)} is denied.${rule.reason ? ` ${rule.reason}` : ''} Do not try to reach the same in another way.`

function touchedBy({ input }: GateRequest, access: Access, ground: Ground): Touched {
  const paths = (access.paths ?? []).map(({ path, writes = false, isMentioned = false, isGuess = false, below, among }) => ({
    given: path,
    located: locate(ground, path),
    writes,
    isMentioned,
    isGuess,
    below,
    among,
  }))
  return { access, input, ground, paths }
}

/** The rule of a kind that holds the call back, a sure one before one that only may. */
function heldBack(
  decision: 'deny' | 'ask',
  { tool, flags }: GateRequest,
  { rules, pathInputs }: Policy,
  touched: Touched,
  about: readonly Rule[],
): { readonly rule: Rule; readonly isSure: boolean } | undefined {
  let doubtful: Rule | undefined
  for (const { rule, tool: named } of rules) {
    if (rule.decision !== decision) continue
    const fit = about.includes(rule) ? speaksAgainst(rule, touched) : 'never'
    // A command line must not do to a file what the file tools may not, and a search or a list not show what may not be read.
    const isForReading = touched.paths.some(({ writes }) => !writes)
    const kinds = Object.entries(pathInputs).filter(
      ([name]) => name !== tool.name && named.matches(name) && (touched.access.commands || (name === 'read_file' && isForReading)),
    )
    const others = kinds.map(([, { writes = false }]) => speaksAgainstFiles(rule, touched, writes, flags.readOnly))
    if (fit === 'always' || others.includes('always')) return { rule, isSure: true }
    if (fit === 'maybe' || others.includes('maybe')) doubtful ??= rule
  }
  return doubtful && { rule: doubtful, isSure: false }
}

/**
 * What a search of a folder must leave out: files that a rule denies to this tool or to `read_file`, and those that are asked for,
 * unless it was for the folder that the question is.
 */
function withheldFrom({ tool }: GateRequest, { rules }: Policy, touched: Touched): Withholds {
  if (touched.access.commands || !touched.paths.some(({ writes }) => !writes)) return undefined
  const patterns = rules.flatMap(({ rule, tool: named }) => {
    const isAbout = rule.decision !== 'allow' && (named.matches(tool.name) || named.matches('read_file'))
    return isAbout && rule.pattern !== undefined && speaksAgainst(rule, touched) !== 'always' ? [rule.pattern] : []
  })
  return patterns.length > 0 ? speaksOfFile(patterns, touched) : undefined
}

/** Why the place of a file asks, if it does. In `bypass` a command line is judged by what is destructive alone. */
function placeReason(
  { paths, access }: Touched,
  { mode, ground: { look, workspace }, protectedPaths, isPersisted }: Policy,
): string | undefined {
  if (mode === 'bypass' && access.commands) return undefined
  for (const { given, located, writes, isGuess } of paths) {
    if (isGuess) continue
    if (!located) return `It cannot be told where ${JSON.stringify(given)} leads.`
    const { end, names } = located
    if (!isInside(workspace, end) && !(isPersisted(end) && !writes)) return `${JSON.stringify(end)} lies outside the workspace.`
    if (!writes || mode === 'bypass') continue
    if (names.some((name) => isProtected(relativeTo(workspace, name)) || protectedPaths.some((glob) => glob.matches(folded(name)))))
      return `${JSON.stringify(given)} is protected: it may decide on what runs later.`
    if (hasOtherNames(look, end)) return `${JSON.stringify(given)} has other names (hard links): a change shows there, too.`
  }
  return undefined
}

/** The folders above the workspace say nothing of what is in it. */
const relativeTo = (workspace: string, path: string): string => (isInside(workspace, path) ? path.slice(workspace.length) : path)

const isEdit = ({ paths, access }: Touched): boolean =>
  !access.commands && !access.isOpaque && paths.length > 0 && paths.every(({ writes, isMentioned }) => writes && !isMentioned)
