import { subcommandAt } from './git-reads.ts'
import { has, operandsOf } from './options.ts'
import type { Places } from './places.ts'
import { literal } from './words.ts'
import type { Word } from './words.ts'

/** Of these nothing is lost. */
const dry = /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/
const forced = /^(-[a-zA-Z]*f[a-zA-Z]*|--force)$/

/** Paths that stand in a file are not known. */
const fromFile = /^--pathspec-f/
const needsNoForce = (before: readonly Word[]): boolean => has(before, /clean\.requireforce/i)

/** What `git clean` is limited to; else it is all that is there. */
function cleaned(args: readonly Word[]): readonly Word[] {
  const paths = operandsOf(args.filter((_, index) => !/^(-[a-zA-Z]*e|--exclude)$/.test(args[index - 1]?.text ?? '')))
  return paths.length > 0 ? paths : [literal('.')]
}

/**
 * Does git throw away what it keeps nowhere: changes that are in no commit, in all of the workspace, and commits that can be reached by
 * nothing but its own records? A branch that is deleted, a commit that is amended or reset away is found again by those.
 */
export function losesWork(args: readonly Word[], places: Places): boolean {
  const at = subcommandAt(args)
  const rest = args.slice(at + 1)
  /** All of the workspace, or more: as for what is removed. */
  const isWide = (words: readonly Word[]): boolean => words.some((word) => word.text.startsWith(':') || places.isRemovedOutside(word))
  const end = rest.findIndex(({ text }) => text === '--')
  // Before `--` what is not known before it runs is taken for the name of a branch.
  const behind = end < 0 ? operandsOf(rest.filter(({ isOpen }) => !isOpen)) : rest.slice(end + 1)
  switch (args[at]?.text) {
    case 'reset':
      return has(rest, /^--har/)
    case 'clean':
      return (has(rest, forced) || needsNoForce(args.slice(0, at))) && !has(rest, dry) && isWide(cleaned(rest))
    case 'checkout':
      return isWide(behind) || has(rest, fromFile) || has(rest, /^(-(?![bB])[a-zA-Z]*f|--force)$/)
    case 'switch':
      return has(rest, /^(-[a-zA-Z]*f|--force|--discard-changes)$/)
    case 'restore':
      return (isWide(behind) || has(rest, fromFile)) && !(has(rest, /^(-[a-zA-Z]*S|--staged)/) && !has(rest, /^(-[a-zA-Z]*W|--worktree)/))
    case 'rm':
      return has(rest, forced) && !has(rest, dry) && !has(rest, /^--cached$/) && isWide(behind)
    case 'stash':
      return /^(drop|clear)$/.test(rest[0]?.text ?? '')
    case 'reflog':
      return /^(expire|delete)$/.test(rest[0]?.text ?? '') && !has(rest, dry)
    case 'gc':
      return has(rest, /^--prune=(now|all|0)/)
    case 'prune':
      return !has(rest, dry)
    case 'worktree':
      return rest[0]?.text === 'remove' && has(rest, forced)
    case 'submodule':
      return rest[0]?.text === 'deinit' && has(rest, forced)
    case 'read-tree':
      return has(rest, /^--reset$/) && has(rest, /^-[a-z]*u/)
    case 'checkout-index':
      return has(rest, forced) && has(rest, /^(-[a-z]*a[a-z]*|--all)$/)
    case 'filter-repo':
      return !has(rest, dry)
    default:
      return false
  }
}
