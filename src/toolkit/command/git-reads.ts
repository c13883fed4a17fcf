import { grepValued, searched } from './goes-through.ts'
import { has, operandsOf, valuesOf } from './options.ts'
import type { Word } from './words.ts'

/**
 * What git shows, or copies, of files that stand nowhere in its words.
 *
 * `named`: only what is named. `there`: files that are there now. `changes`: those that it keeps, as they are now. `versions`: any that
 * it ever kept.
 */
export type GitReads = {
  readonly kind: 'nothing' | 'named' | 'there' | 'changes' | 'versions'
  /** What it is limited to, from the folder where git is; with none it is all of the repository. */
  readonly specs: readonly Word[]
  /** Files of `HEAD:src/a.ts`, from the root of the repository. */
  readonly names: readonly string[]
  /** The folder that it is sent to. `elsewhere`: its files or its repository are named apart. */
  readonly folder: Word | 'elsewhere' | undefined
}

type Kind = GitReads['kind']

const globals = /^(-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source|--config-env|--shallow-file)$/

/** Where the subcommand stands among the arguments of git. */
export function subcommandAt(args: readonly Word[]): number {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += globals.test(args[at]!.text) ? 2 : 1
  return at
}

/** Subcommands that show nothing of what is in files. Others may, and so may an alias. */
const silent = new Set(
  (
    'add am apply bisect branch check-attr check-ignore check-mailmap check-ref-format checkout cherry cherry-pick clean commit commit-graph commit-tree ' +
    'config count-objects credential describe fetch fetch-pack filter-branch for-each-ref for-each-repo fsck gc hash-object help hook index-pack init ' +
    'interpret-trailers lfs ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file multi-pack-index mv name-rev notes ' +
    'pack-redundant pack-refs patch-id prune prune-packed pull push rebase receive-pack remote repack replace rerere reset restore rev-list rev-parse revert ' +
    'rm send-pack shortlog show-index show-ref shell sparse-checkout status stripspace submodule submodule--helper switch symbolic-ref tag unpack-objects ' +
    'update-ref update-server-info var verify-commit verify-pack verify-tag version write-tree'
  ).split(' '),
)

/** Options of `log`, `diff` and `show` by which no lines of files are shown; those of `valued` may take the next word. */
const quiet = new RegExp(
  '^-\\d+$|^-n\\d*$|^-[szibwmrtMa]$|^-[SG].*$|^--(' +
    'oneline|graph|all|branches|tags|remotes|no-decorate|stat|name-only|name-status|cached|staged|shortstat|numstat|dirstat|compact-summary|summary|raw|' +
    'no-color|no-patch|follow|merges|no-merges|first-parent|reverse|abbrev-commit|quiet|exit-code|no-ext-diff|no-textconv|minimal|ignore-all-space|' +
    'no-renames|merge-base|root|date-order|topo-order|full-index|left-right|cherry-pick|boundary|simplify-by-decoration|no-walk|relative-date|' +
    '(decorate|color|abbrev|dirstat|stat|branches|tags|remotes)=.*|decorate|color|abbrev|' +
    '(format|pretty|since|until|after|before|author|committer|grep|max-count|skip|date|diff-filter|find-renames)(=.*)?)$',
)
const valued = /^(-[nSGO]|--(format|pretty|since|until|after|before|author|committer|grep|max-count|skip|date))$/
const shown = /^-[pu]$|^-U\d+$|^--(patch|no-index|unified=\d+|word-diff(=\w+)?|color-words|patch-with-stat|function-context)$|^-W$/
/** One of these takes the place of the lines. */
const instead = /^-s$|^--(stat|name-only|name-status|shortstat|numstat|dirstat|compact-summary|summary|raw|no-patch|quiet)(=.*)?$/
/** `HEAD:src/a.ts` and `:0:src/a.ts`: a file and nothing else. */
const namedFile = /^[^:{}]*:(?:\d:)?([^:{}/!^(][^:{}]*)$/
/** What is surely a commit. An abbreviated name may be that of a file's content. */
const commit = /^(HEAD|@|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD)$|[~^]\d*$|\^\{commit\}$|\.\./

const beforeEnd = (args: readonly Word[]): readonly Word[] => {
  const end = args.findIndex(({ text }) => text === '--')
  return end < 0 ? args : args.slice(0, end)
}
const optionsOf = (args: readonly Word[]): readonly Word[] => beforeEnd(args).filter(({ text }) => /^-./.test(text))

const isQuiet = (args: readonly Word[]): boolean => optionsOf(args).every(({ text }) => quiet.test(text))
const isPatched = (args: readonly Word[]): boolean => has(args, /^-[a-ln-zA-Z]*p[a-z]*$|^-[ie]$|^--(pat|int)/)
const isOpen = (args: readonly Word[]): boolean => args.some((word) => word.isOpen)

/** What stands before `--`, and is no option and not the value of one. */
function revisionsOf(args: readonly Word[]): readonly Word[] {
  const before = beforeEnd(args)
  return before.filter(({ text }, index) => !text.startsWith('-') && !valued.test(before[index - 1]?.text ?? ''))
}

const log = (args: readonly Word[]): Kind => (isQuiet(args) && !isOpen(args) ? 'nothing' : 'versions')

function diff(args: readonly Word[]): Kind {
  if (isOpen(args)) return 'versions'
  if (isQuiet(args) && has(args, instead)) return 'nothing'
  if (has(args, /^--no-i/)) return 'there'
  return 'versions'
}

function show(args: readonly Word[]): Kind {
  if (isOpen(args)) return 'versions'
  const given = revisionsOf(args)
  if (given.length > 0 && given.every(({ text }) => namedFile.test(text))) return 'named'
  return diff(args) === 'nothing' && given.every(({ text }) => commit.test(text)) ? 'nothing' : 'versions'
}

function catFile(args: readonly Word[]): Kind {
  if (has(args, /^(-[tse]|--batch-check.*)$/)) return 'nothing'
  const given = operandsOf(args).filter(({ text }) => !/^(blob|tree|commit|tag)$/.test(text))
  return !isOpen(args) && given.length > 0 && given.every(({ text }) => namedFile.test(text)) ? 'named' : 'versions'
}

/** Another folder gets all files that are kept. */
const copies = (args: readonly Word[]): Kind =>
  operandsOf(args).every(({ text }) => /^\w+:\/\/|^[\w.-]+@/.test(text)) ? 'nothing' : 'there'

function kindOf(name: string, args: readonly Word[], isAtPath: (word: Word) => boolean): Kind {
  switch (name) {
    case 'log':
    case 'whatchanged':
    case 'reflog':
      return log(args)
    case 'diff': {
      const kind = diff(args)
      const isOfNow = !has(args, /^--(ca|sta|merge-b|no-i|2|b|o|t)/) && revisionsOf(args).every(isAtPath)
      return kind === 'versions' && isOfNow && !isOpen(args) ? 'changes' : kind
    }
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files':
    case 'range-diff':
      return diff(args)
    case 'show':
      return show(args)
    case 'stash':
      if (args[0]?.text === 'show') return diff(args.slice(1))
      if (args[0]?.text === 'list') return log(args.slice(1))
      return isPatched(args) ? 'versions' : 'nothing'
    case 'blame':
    case 'annotate':
      return isOpen(args) ? 'versions' : 'named'
    case 'cat-file':
      return catFile(args)
    // Of what is there now it is looked at where it goes through folders.
    case 'grep':
      return !has(args, /^--ca/) && !isOpen(args) && searched(beforeEnd(args), grepValued).every(isAtPath) ? 'nothing' : 'versions'
    case 'clone':
      return copies(args)
    case 'worktree':
      return args[0]?.text === 'add' ? 'there' : 'nothing'
    case 'bisect':
      return args[0]?.text.startsWith('vi') ? log(args.slice(1)) : 'nothing'
    case 'submodule':
      return args[0]?.text === 'add' ? copies(args.slice(1)) : 'nothing'
    case 'rerere':
      return args[0]?.text === 'diff' ? 'versions' : 'nothing'
    case 'add':
    case 'checkout':
    case 'reset':
    case 'restore':
      return isPatched(args) ? 'versions' : 'nothing'
    case 'status':
      return has(args, /^-[a-zA-Z]*v|^--verb/) ? 'versions' : 'nothing'
    case 'commit':
      return isPatched(args) || (has(args, /^--(dry|por|sho|lon)/) && has(args, /^-[a-zA-Z]*v|^--verb/)) ? 'versions' : 'nothing'
    case 'am':
    case 'rebase':
      return has(args, /^--show-c/) ? 'versions' : 'nothing'
    case 'notes':
      return has(args, /^-[a-zA-Z]*[cC]|^--re/) ? 'versions' : 'nothing'
    case 'for-each-ref':
    case 'branch':
    case 'tag':
      return has(args, /%\(.*raw/) ? 'versions' : 'nothing'
    default:
      return silent.has(name) ? 'nothing' : 'versions'
  }
}

/** @param isAtPath is there a file or folder of this name? Then it is no revision. */
export function readByGit(args: readonly Word[], isAtPath: (word: Word) => boolean): GitReads {
  const at = subcommandAt(args)
  const before = args.slice(0, at)
  const rest = args.slice(at + 1)
  const name = args[at]
  const folders = valuesOf(before, 'C').filter(({ text }) => text !== '')
  const isElsewhere = has(before, /^--(git-dir|work-tree|bare|namespace)/) || folders.length > 1 || isOpen(folders)
  const folder = isElsewhere ? 'elsewhere' : folders[0]
  const inFolder = (word: Word): Word => (folders[0] ? { ...word, text: `${folders[0].text}/${word.text}` } : word)
  const isThere = (word: Word): boolean => isAtPath(inFolder(word))
  // All files may be copied to a work tree somewhere else.
  const kind = !name ? 'nothing' : name.isOpen || has(before, /^--work-tree/) ? 'versions' : kindOf(name.text, rest, isThere)
  const names = rest.flatMap(({ text }) => namedFile.exec(text)?.[1] ?? [])
  return { kind, specs: specsOf(rest, isThere).map(inFolder), names, folder }
}

/** Paths that it is limited to; none where that is not sure. */
function specsOf(args: readonly Word[], isThere: (word: Word) => boolean): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  // Behind an option that is not known it may be anything; and `--full-diff` shows the other files of a commit, too.
  const isKnown = optionsOf(args).every(({ text }) => (quiet.test(text) || shown.test(text)) && text !== '--follow')
  const specs = !isKnown ? [] : end >= 0 ? args.slice(end + 1) : revisionsOf(args).filter(isThere)
  return specs.some(({ text, isOpen: isUnknown }) => isUnknown || text.startsWith(':')) ? [] : specs.map(beforeMagic)
}

/** Git takes patterns by itself, quoted or not; `*` of it reaches through folders. */
function beforeMagic(word: Word): Word {
  const at = word.text.search(/[*?[\\]/)
  if (at < 0) return word
  const folder = word.text.slice(0, word.text.lastIndexOf('/', at) + 1)
  return { ...word, text: folder === '' ? '.' : folder, isPattern: false }
}
