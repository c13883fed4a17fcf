import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Lookups } from '../../host/file-system.ts'
import { isInside, resolveLinks } from '../../host/paths.ts'
import type { Call, Calls } from './calls.ts'
import type { Surroundings } from './hard-list.ts'
import { isPlainRepository } from './repository.ts'
import { nothingLost } from './places.ts'
import { setsByFormat } from './arithmetic.ts'
import { nameOf } from './words.ts'
import type { Word } from './words.ts'

/** The options that a command may have, and what else holds for its words. Whatever is not named here does not only read. */
type Reader = {
  readonly options?: RegExp
  readonly operands?: (operands: readonly Word[]) => boolean
  readonly isOpenHarmless?: boolean
  /** Other options of it write files or run programs: a file must not be able to pass for one. */
  readonly isWary?: boolean
  /** To it `--` is a word like any other. */
  readonly hasNoEnd?: boolean
}

/** Of `grep`: but for following links in folders, and a file of patterns that is joined to its option. */
const anyOption = /^-[a-eg-zA-QS-Z0-9]+f?$|^-f$|^--(?!deref)[a-z][a-z-]*(=.*)?$/
const atMost =
  (count: number) =>
  (operands: readonly Word[]): boolean =>
    operands.length <= count

/** One file and no more, which a pattern may stand for. */
const atMostOne = (operands: readonly Word[]): boolean => operands.length <= 1 && operands.every(({ isPattern }) => !isPattern)

const readers = new Map<string, Reader>([
  ['cd', { operands: atMost(1) }],
  ['pwd', { options: /^-[LP]$/ }],
  ['echo', { options: /^-.*$/, isOpenHarmless: true }],
  ['true', {}],
  ['false', {}],
  [':', { isOpenHarmless: true }],
  ['printf', { operands: ([format]) => format !== undefined && !format.isOpen && !setsByFormat(format), isOpenHarmless: true }],
  ['test', { options: /^-[a-uw-zA-Z]+$/ }],
  ['[', { options: /^-[a-uw-zA-Z]+$/ }],
  [
    'ls',
    {
      options:
        /^-[aAbBcCdfFgGhHiklLmnNopqQrRsStTuUvxXZ1]+$|^--(all|almost-all|color(=\w+)?|human-readable|recursive|reverse|sort=\w+|group-directories-first|full-time)$/,
    },
  ],
  ['cat', { options: /^-[AbeEnstTuv]+$/ }],
  ['tac', {}],
  ['rev', {}],
  ['nl', { options: /^-[bnwsv].*$/ }],
  ['head', { options: /^-\d+$|^-[cnqvz]-?\d*[kKmM]?$|^--(lines|bytes)=-?\d+$/ }],
  ['tail', { options: /^-\d+$|^-[cnqvz][-+]?\d*[kKmM]?$|^--(lines|bytes)=[-+]?\d+$/ }],
  ['wc', { options: /^-[clmwL]+$|^--(lines|words|bytes|chars)$/ }],
  ['cut', { options: /^-[bcdfsnz].*$|^--(fields|delimiter|characters|bytes|output-delimiter)=.*$/ }],
  [
    'sort',
    {
      options: /^-[bdfghiMnrRVuszc]+$|^-[kt].+$|^-k$|^-t$|^--(reverse|unique|numeric-sort|human-numeric-sort|version-sort|ignore-case)$/,
      isWary: true,
    },
  ],
  ['uniq', { options: /^-[cdDiuz]+$|^-[fsw]\d+$|^--(count|repeated|unique|ignore-case)$/, operands: atMostOne, isWary: true }],
  ['tr', { options: /^-[cCdst]+$/ }],
  ['comm', { options: /^-[123]+$/ }],
  [
    'diff',
    {
      options: /^-[abBcdEiNpqstuwyZ]+$|^-[UCW]\d+$|^--(brief|unified(=\d+)?|side-by-side|stat|ignore-all-space|color(=\w+)?)$/,
      isWary: true,
    },
  ],
  ['cmp', { options: /^-[bls]+$/ }],
  ['stat', { options: /^-[cfLt].*$|^--(format|printf)=.*$/ }],
  ['file', { options: /^-[bihkLN]+$/, isWary: true }],
  ['du', { options: /^-[abcdhHklmsSx0]+\d*$|^--max-depth=\d+$/, isWary: true }],
  ['df', { options: /^-[ahHiklPT]+$/ }],
  ['which', { options: /^-a$/ }],
  ['type', { options: /^-[afptP]+$/ }],
  ['command', { options: /^-[vV]$/ }],
  ['whoami', {}],
  ['id', { options: /^-[gGnru]+$/ }],
  ['uname', { options: /^-[asnrvmpio]+$/ }],
  ['uptime', {}],
  ['nproc', {}],
  ['free', { options: /^-[bkmgh]+$/ }],
  [
    'date',
    {
      options: /^-[uRI]$|^-I\w+$|^--(utc|iso-8601(=\w+)?|rfc-3339=\w+)$/,
      operands: (operands) => operands.every(({ text }) => text.startsWith('+')),
    },
  ],
  ['basename', { options: /^-[asz].*$/ }],
  ['dirname', { options: /^-z$/ }],
  ['realpath', { options: /^-[emLPqsz]+$/ }],
  ['readlink', { options: /^-[femnqsz]+$/ }],
  ['sleep', {}],
  ['seq', { options: /^-[sw].*$/ }],
  ['tree', { options: /^-[adfipughDFsvrtCL]+$|^-[LIP]$|^--(dirsfirst|noreport)$/, isWary: true }],
  ['grep', { options: anyOption }],
  ['egrep', { options: anyOption }],
  ['fgrep', { options: anyOption }],
  [
    'rg',
    {
      options:
        /^-[aABcCeFgHiIlmMnNoPqrsSTtuUvwx.]+\d*$|^--(files|hidden|no-ignore|type|glob|count|context|ignore-case|line-number|files-with-matches|fixed-strings|word-regexp|multiline|sort|max-count|no-heading|json|pcre2|smart-case)(=.*)?$/,
      isWary: true,
    },
  ],
  // A program of it may read files by itself.
  [
    'jq',
    {
      options: /^-[rceMSsnja]+$/,
      operands: ([program]) => !/\b(import|include|modulemeta|input_filename|debug|stderr)\b/.test(program?.text ?? ''),
    },
  ],
  [
    'find',
    {
      options:
        /^-([HP]|i?name|i?path|i?regex|regextype|type|maxdepth|mindepth|size|[mca]time|[mca]min|newer|empty|print0?|printf|not|or?|and|a|prune|perm|user|group|ls|xdev|mount|depth|links|readable|writable|executable|quit|true|false)$/,
      hasNoEnd: true,
    },
  ],
  ['sed', { options: /^-n$/, operands: (operands) => /^(\d+|\$)(,(\d+|\$))?p$/.test(operands[0]?.text ?? '') }],
  ['node', { options: /^(-v|--version)$/, operands: atMost(0) }],
  ['python3', { options: /^(-V|--version)$/, operands: atMost(0) }],
])

const gitReaders = new Map<string, Reader>([
  [
    'status',
    { options: /^-[sbvz]+$|^-u(no|normal|all)?$|^--(short|branch|porcelain(=\w+)?|long|ignored|untracked-files(=\w+)?|show-stash)$/ },
  ],
  ['log', { options: logOptions(), isWary: true }],
  ['show', { options: logOptions(), isWary: true }],
  ['diff', { options: logOptions(), isWary: true }],
  ['shortlog', { options: /^-[sne]+$/, operands: (operands) => operands.length > 0 }],
  ['blame', { options: /^-[wlsetMCL].*$/ }],
  [
    'rev-parse',
    { options: /^--(abbrev-ref|short(=\d+)?|show-toplevel|show-prefix|git-dir|is-inside-work-tree|verify|symbolic-full-name)$|^-q$/ },
  ],
  ['ls-files', { options: /^-[cdmoistuz]+$|^--(cached|others|modified|deleted|exclude-standard)$/ }],
  ['ls-tree', { options: /^-[drtlz]+$|^--(name-only|long|full-tree)$/ }],
  ['describe', { options: /^--(tags|always|dirty|all|long|abbrev=\d+|exact-match)$/ }],
  ['merge-base', {}],
  ['rev-list', { options: /^--(count|all|max-count=\d+|no-merges|merges|first-parent|left-right)$|^-n?\d+$/ }],
  ['cat-file', { options: /^-[tspe]$/ }],
  ['branch', { options: /^-[avr]+$|^-vv$|^--(list|all|show-current|remotes|verbose|merged|no-merged)$/, operands: atMost(0) }],
  ['tag', { options: /^-l$|^--list$/, operands: atMost(0) }],
  ['remote', { options: /^-v$|^--verbose$/, operands: atMost(0) }],
  ['stash', { operands: (operands) => operands.length === 1 && operands[0]?.text === 'list' }],
  ['reflog', { options: /^-n?\d+$/, operands: atMost(0) }],
])

function logOptions(): RegExp {
  const long =
    'oneline|graph|all|stat|name-only|name-status|cached|staged|shortstat|numstat|decorate(=\\w+)?|no-color|patch|no-patch|follow|merges|no-merges|first-parent|reverse|abbrev-commit|word-diff|check|quiet|exit-code|summary|raw|no-ext-diff|no-textconv|minimal|ignore-all-space|no-index'
  const valued = 'format|pretty|since|until|after|before|author|grep|max-count|date|unified|diff-filter|stat|color|abbrev|find-renames'
  return new RegExp(`^-\\d+$|^-n\\d*$|^-[psbwuizMR]+$|^-[USGLM].*$|^--(${long})$|^--(${valued})=.*$`)
}

/** Wrappers that leave what they run as it is. */
const transparent = new Set(['time', 'timeout', 'nice'])

/** Does every command of the script only read? Only what is on the list does, with the options on the list. */
export function isReadOnly(found: Calls, place: Surroundings): boolean {
  const { calls, commands, variables, isComplete, isOpaque, hasFunctions } = found
  if (!isComplete || isOpaque || hasFunctions || variables.some((name) => !isHarmlessName(name))) return false
  const opened = commands.flatMap(({ writesTo }) => writesTo)
  if (opened.some((target) => target.isOpen || target.isPattern || !nothingLost.test(target.text))) return false
  if (commands.some(({ readsFrom }) => readsFrom.some(({ text, isOpen }) => isOpen || text.startsWith('/dev/')))) return false
  if (commands.some(({ assignments }) => assignments.some(({ name }) => !isHarmlessName(name)))) return false
  const reads = readersIn(found, place)
  return calls.every((call) => reads(call))
}

/** Which calls of a script only read where they run: git by the settings of its repository, programs by where they are found. */
export function readersIn({ calls }: Calls, place: Surroundings): (call: Call) => boolean {
  const moves = calls.some(({ words }) => nameOf(words[0]) === 'cd')
  let isPlain: boolean | undefined
  const found = new Map<string, boolean>()
  return (call) => {
    const name = nameOf(call.words[0])
    if (!isReader(call)) return false
    if (!found.has(name)) found.set(name, isFromProject(name, moves, place))
    if (found.get(name)) return false
    return name !== 'git' || (!moves && (isPlain ??= isPlainRepository(place.look, place.cwd)))
  }
}

/** What bash runs by itself. */
const builtins = /^(cd|pwd|echo|true|false|:|printf|test|\[|type|command)$/

/** Is it the project that says what runs by this name? Its own folders may stand in the path, as when `npx` has started this program. */
function isFromProject(name: string, moves: boolean, { look, cwd, workspace, path = '/usr/bin' }: Surroundings): boolean {
  if (builtins.test(name)) return false
  const folders = path.split(delimiter)
  if (moves && folders.some((folder) => !isAbsolute(folder))) return true
  const first = folders.map((folder) => resolve(cwd, folder)).find((folder) => look.exists(join(folder, name)))
  return first !== undefined && dirname(workspace) !== workspace && isInside(workspace, followed(look, first))
}

function followed(look: Lookups, folder: string): string {
  try {
    return resolveLinks(look, folder)
  } catch {
    return folder
  }
}

/** A call that only reads, wherever it runs. What its repository may run is not looked at. */
function isReader({ words }: Pick<Call, 'words'>): boolean {
  const [first, ...args] = words
  // A path as a name may be any program.
  if (!first || first.isOpen || first.isPattern || first.text.includes('/')) return false
  if (first.text === 'git') {
    const at = args[0]?.text === '--no-pager' ? 1 : 0
    const reader = gitReaders.get(args[at]?.text ?? '')
    return reader !== undefined && fits(reader, args.slice(at + 1))
  }
  if (transparent.has(first.text)) {
    const end = args.findIndex(({ text }) => !text.startsWith('-'))
    return (
      args.every(({ isOpen }) => !isOpen) && args.length > 1 && !args.slice(0, Math.max(end, 0)).some(({ text }) => /^-[of]/.test(text))
    )
  }
  const reader = readers.get(first.text)
  return reader !== undefined && fits(reader, args)
}

function fits(reader: Reader, args: readonly Word[]): boolean {
  const { options, operands, isOpenHarmless = false, isWary = false, hasNoEnd = false } = reader
  if (!isOpenHarmless && args.some(({ isOpen }) => isOpen)) return false
  // The first file that `*` finds may be called as an option is, and none of these is as bare as that.
  const mayPass = ({ isPattern, text }: Word): boolean => isPattern && /^[*?[-]/.test(text) && (isWary || !bare.test(text))
  if (!isOpenHarmless && options !== anyOption && args.some(mayPass)) return false
  // Behind an option it may be the value of that, and what follows is an option all the same.
  const end = hasNoEnd ? -1 : args.findIndex(({ text }, index) => text === '--' && !/^-./.test(args[index - 1]?.text ?? ''))
  const before = end < 0 ? args : args.slice(0, end)
  const given = before.filter(({ text }) => text.startsWith('-') && text !== '-' && text !== '--')
  if (given.some(({ text }) => !options?.test(text))) return false
  const rest = [...before.filter(({ text }) => !text.startsWith('-') || text === '-'), ...(end < 0 ? [] : args.slice(end + 1))]
  return operands?.(rest) ?? true
}

/** A pattern whose finds end in a dot and letters: `*.ts` finds no name that is an option of one letter. */
const bare = /^\*\.\w+$/

const harmless = /^(CI|NO_COLOR|FORCE_COLOR|TZ|LANG|LANGUAGE|LC_[A-Z]+|TERM|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|DEBUG)$/

/** A variable that changes nothing of what programs run: own small-letter names, and a few that are known. */
export const isHarmlessName = (name: string): boolean =>
  harmless.test(name) || (/^[a-z_][a-z0-9_]*$/.test(name) && !/^(npm_|yarn_|pnpm_)|_proxy$/.test(name))
