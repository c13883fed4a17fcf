import { globMatcher } from '../search/glob-pattern.ts'
import { has, operandsOf, valuesOf } from './options.ts'
import { literal } from './words.ts'
import type { Word } from './words.ts'

/** Folders that a command reads with all that lies below them. */
export type Through = {
  readonly starts: readonly Word[]
  /** Which of the files, by their paths from there. */
  readonly wants: (path: string) => boolean
  /** A start may be no folder of this machine. */
  readonly isGuess?: boolean
}

type Rule = (args: readonly Word[]) => Through | undefined

const here = literal('.')
const all = (): boolean => true
const below = (starts: readonly Word[], wants: Through['wants'] = all): Through => ({ starts: starts.length > 0 ? starts : [here], wants })
const bare = (args: readonly Word[]): readonly Word[] => args.filter(({ text }) => !text.startsWith('-'))

/** Does a program, called like this, read whole folders? What it prints of them is not looked at. */
export const goesThrough = (name: string, args: readonly Word[]): Through | undefined => rules.get(name)?.(args)

/** Options of `grep` and of `rg` whose values are words of their own. */
export const grepValued =
  /^-[a-zA-Z]*[efmABCdD]$|^--(regexp|file|(max|after|before)-c[a-z]*|context|label|binary-files|devices|dir[a-z]*|exc[a-z-]*|inc[a-z]*)$/
const rgValued =
  /^-[a-zA-Z.0]*[efmABCEgtTrjMd]$|^--(regexp|file|i?glob|type(-(not|add|clear))?|max-(count|columns|depth|filesize)|maxdepth|(after-|before-)?context|context-separator|field-(context|match)-separator|replace|threads|encoding|engine|sortr?|pre(-glob)?|ignore-file|colors?|dfa-size-limit|regex-size-limit|path-separator|generate|hostname-bin|hyperlink-format)$/

/** Files of a search: what is neither an option nor the pattern. */
export function searched(args: readonly Word[], valued: RegExp): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  const options = end < 0 ? args : args.slice(0, end)
  const operands = [
    ...bare(options.filter((_, index) => !valued.test(options[index - 1]?.text ?? ''))),
    ...(end < 0 ? [] : args.slice(end + 1)),
  ]
  const hasPattern = has(options, /^-[a-zA-Z]*[ef]|^--(regexp|file|files)(=|$)/)
  return hasPattern ? operands : operands.slice(1)
}

/** Only what fits one of these, where they are known and none of them takes something away. */
function only(globs: readonly Word[], spell: (glob: string) => string): Through['wants'] {
  if (globs.length === 0 || globs.some(({ text, isOpen }) => isOpen || text.startsWith('!'))) return all
  try {
    const matchers = globs.map(({ text }) => globMatcher(spell(text).toLowerCase()))
    return (path) => matchers.some((matches) => matches(path.toLowerCase()))
  } catch {
    return all
  }
}

const anywhere = (glob: string): string => (glob.includes('/') ? '**' : `**/${glob}`)

const grep: Rule = (args) => {
  const isDeep = has(args, /^-[a-zA-Z]*[rR]|^--(rec|deref)|^--dir[a-z]*=rec|^-[a-zA-Z]*d(rec.*)?$/) || has(args, /^recurse$/)
  // What is excluded first makes the rest be searched.
  const included = has(args, /^--exclude(=|$|-from)/) ? [] : valuesOf(args, '\0', 'include')
  return isDeep ? below(searched(args, grepValued), only(included, anywhere)) : undefined
}

const ripgrep: Rule = (args) => {
  // These are found even where they are hidden or ignored.
  const globs = [...valuesOf(args, 'g', 'glob'), ...valuesOf(args, '\0', 'iglob')]
  return has(args, /^--files$|^--type-list$/) ? undefined : below(searched(args, rgValued), only(globs, anywhere))
}

/** `find` that gives what it finds to a program. */
const find: Rule = (args) => {
  if (!has(args, /^-(exec|ok)(dir)?$/)) return undefined
  const test = args.findIndex(({ text }) => /^[-!(]/.test(text) && !/^-[HLPO]/.test(text))
  const starts = bare(test < 0 ? args : args.slice(0, test))
  // Behind the program a test comes too late.
  const tests = args.slice(
    0,
    args.findIndex(({ text }) => /^-(exec|ok)/.test(text)),
  )
  const hasChoice = has(args, /^(!|-not|-o|-or|,)$/)
  const names = hasChoice ? [] : tests.filter((_, index) => /^-i?name$/.test(tests[index - 1]?.text ?? ''))
  return below(starts, only(names, anywhere))
}

const git: Rule = (args) => {
  const at = args.findIndex(({ text }) => /^(grep|archive)$/.test(text))
  if (at < 0) return undefined
  const end = args.findIndex(({ text }) => text === '--')
  return below([...valuesOf(args.slice(0, at), 'C'), ...(end < 0 ? [here] : args.slice(end + 1))])
}

const withOption =
  (option: RegExp): Rule =>
  (args) =>
    has(args, option) ? below(operandsOf(args)) : undefined

/** What is copied: all but the last, where the last is not named by an option. */
const copied = (args: readonly Word[]): Through => {
  const operands = operandsOf(args)
  return below(has(args, /^-[a-zA-Z]*t|^--target/) ? operands : operands.slice(0, -1))
}

const tar: Rule = (args) => {
  // Which files, stands in a file.
  if (has(args, /^(-[a-zA-Z]*T|--files-from)/)) return below([])
  const packs = /^[a-zA-Z]*[cru]/.test(args[0]?.text ?? '') || has(args, /^-[a-zA-Z]*[cru]|^--(create|append|update|(con)?catenate)$/)
  return packs ? below([...operandsOf(args), ...valuesOf(args, 'C', 'directory')]) : undefined
}

/** What a container is given of this machine: folders that are mounted, copied, or sent to be built from. */
const container: Rule = (args) => {
  const operands = operandsOf(args)
  const mounted = [...valuesOf(args, 'v', 'volume'), ...valuesOf(args, '\0', 'mount')].flatMap((word) => {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(word.text)?.[1] ?? word.text.split(':')[0]!
    // A name alone is that of a volume.
    return /[/.$~]/.test(source) ? [{ ...word, text: source, isOpen: source.includes('$') }] : []
  })
  const copiedThere = operands[0]?.text === 'cp' ? operands.slice(1).filter(({ text }) => !/^[\w-]+:/.test(text)) : []
  const built = has(args, /^(build|bake)$/) ? operands.slice(-1) : []
  const starts = [...mounted, ...copiedThere, ...built]
  return starts.length > 0 ? { ...below(starts), isGuess: true } : undefined
}

/** Files behind a pattern, or what an archive is called and then files; else what is here. */
const always: Rule = (args) => below(operandsOf(args).slice(1))

const lists: readonly (readonly [names: string, rule: Rule])[] = [
  ['grep egrep fgrep ggrep ugrep zgrep', grep],
  ['rgrep', (args) => grep([literal('-r'), ...args])],
  ['rg ripgrep', ripgrep],
  ['ag ack ack-grep pt sift', always],
  ['find gfind', find],
  ['git', git],
  ['cp gcp', (args) => (has(args, /^-[a-zA-Z]*[rRa]|^--[ra]/) ? copied(args) : undefined)],
  ['scp', (args) => (has(args, /^-[a-zA-Z0-9]*r/) ? copied(args) : undefined)],
  ['rsync', copied],
  ['diff', withOption(/^-[a-zA-Z]*r|^--recursive$/)],
  ['zip', withOption(/^-[a-zA-Z]*[rR]|^--recurse-/)],
  ['7z 7za 7zr', (args) => below(operandsOf(args).slice(2))],
  ['tar bsdtar gtar', tar],
  ['docker podman nerdctl buildah', container],
  ['cpio', (args) => (has(args, /^(-[a-zA-Z]*[op]|--create|--pass-through)/) ? below([]) : undefined)],
  ['pax', (args) => (has(args, /^-[a-zA-Z]*w/) ? below(operandsOf(args)) : undefined)],
  ['ditto', copied],
  // To whoever asks.
  ['python python3', (args) => (has(args, /^http\.server$/) ? below(valuesOf(args, 'd', 'directory')) : undefined)],
  ['php', (args) => (has(args, /^-S/) ? below(valuesOf(args, 't', 'docroot')) : undefined)],
  ['serve http-server live-server', (args) => below(operandsOf(args))],
]
const rules = new Map(lists.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)))

/** Programs that show what is in the files that they are given, or copy it. */
export const showers: ReadonlySet<string> = new Set(
  (
    'cat tac rev nl head tail less more most pg view vi vim nvim ex ed emacs nano od xxd hd hexdump strings base32 base64 basenc uuencode cut paste ' +
    'fold fmt pr column expand unexpand join comm cmp diff diff3 sdiff sort uniq wc split csplit shuf sed awk gawk mawk nawk perl python python3 ruby ' +
    'node php grep egrep fgrep zgrep rg ag ack jq yq xmllint cp mv ln install dd tar zip gzip gunzip zcat bzip2 bzcat xz xzcat zstd zstdcat 7z cpio rsync scp ' +
    'curl wget nc openssl gpg sqlite3 source . mapfile readarray md5sum sha1sum sha256sum sha512sum cksum b2sum iconv dos2unix bat batcat'
  ).split(' '),
)
