import { destroysBeyond } from './beyond.ts'
import { losesWork } from './git-loses.ts'
import { subcommandAt } from './git-reads.ts'
import { has, operandsOf, valuesOf } from './options.ts'
import type { Places } from './places.ts'
import { literal, nameOf } from './words.ts'
import type { Word } from './words.ts'

type Rule = (args: readonly Word[], places: Places) => boolean

/** May a program, called like this, do what cannot be undone? The short list. */
export const cannotBeUndone = (name: string, args: readonly Word[], places: Places): boolean =>
  /^mkfs(\.|$)/.test(name) || (rules.get(name)?.some((rule) => rule(args, places)) ?? false) || destroysBeyond(name, args)

/** The same of what may be a remover under a name that is not known before it runs: `$x -rf /`, `r?m /etc`. */
export const mayRemove = ({ isOpen, isPattern }: Word, args: readonly Word[], places: Places): boolean =>
  (isPattern || (isOpen && has(args, /^-[a-zA-Z]*(r[a-zA-Z]*f|f[a-zA-Z]*r)/i))) && removes(args, places)

export const removers: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'rimraf'])

const always: Rule = () => true
const removes: Rule = (args, places) => operandsOf(args).some((target) => history.test(target.text) || places.isRemovedOutside(target))
/** Where a repository keeps its commits: with them all that was ever kept is gone. */
const history = /(^|\/)\.(git|hg|jj|svn)(\/(objects|refs|logs|store|repo)?)?\/?$/i
const overwrites: Rule = (args, places) => operandsOf(args).some((target) => places.isOverwrittenOutside(target))
const overwritesLast: Rule = (args, places) =>
  operandsOf(args)
    .slice(-1)
    .some((target) => places.isOverwrittenOutside(target))
/** The file, or the folder, that an option names. */
const overwritesBy =
  (letter: string, ...names: readonly string[]): Rule =>
  (args, places) =>
    valuesOf(args, letter, ...names).some((target) => places.isOverwrittenOutside(target))

const overwritesInto: Rule = (args, places) => {
  const isInto = valuesOf(args, 't', 'target-directory').length > 0
  return isInto ? overwritesBy('t', 'target-directory')(args, places) : overwritesLast(args, places)
}

/** The second file of those that read one and write the other; words behind these options are none. */
const overwritesSecond =
  (valued: RegExp): Rule =>
  (args, places) => {
    const [, target] = operandsOf(args.filter((_, index) => !valued.test(args[index - 1]?.text ?? '')))
    return target !== undefined && places.isOverwrittenOutside(target)
  }

const unless =
  (option: RegExp, rule: Rule): Rule =>
  (args, places) =>
    !has(args, option) && rule(args, places)

const when =
  (option: RegExp, rule: Rule = always): Rule =>
  (args, places) =>
    has(args, option) && rule(args, places)

/** Commands of `sed` that write a file: `w x`, `s/a/b/w x`. */
const writesBySed: Rule = (args, places) =>
  args.some((word) => {
    const file = /w\s+([~/.]\S*)/.exec(word.text)?.[1]
    return file !== undefined && places.isOverwrittenOutside({ ...word, text: file })
  })

const extracts = (args: readonly Word[]): boolean =>
  /^[a-zA-Z]*x/.test(args[0]?.text ?? '') || has(args, /^(-[a-zA-Z]*x.*|--(extract|get))$/)

const lists: readonly (readonly [names: string, ...rules: readonly Rule[]])[] = [
  [[...removers].join(' '), removes],
  ['mv', removes, overwritesInto],
  ['cp install ln', overwritesInto],
  ['rsync scp', overwritesLast],
  ['rsync', when(/^--remove-source-files$/, removes)],
  ['tee truncate chmod chown chgrp', overwrites],
  ['sed', when(/^(-[a-zA-Z]*i|--in-place)/, overwrites), writesBySed],
  ['uniq', overwritesSecond(/^-[fsw]$/)],
  ['xxd', overwritesSecond(/^-[cglonsR]$/)],
  ['split', overwritesSecond(/^-[abClnt]$/)],
  ['csplit', overwritesBy('f', 'prefix')],
  ['openssl', (args, places) => valuesBehind(args, /^-(key)?out$/).some((file) => places.isOverwrittenOutside(file))],
  ['fallocate chattr setfacl sponge ed ex', overwrites],
  ['vi vim nvim', when(/^(-[a-zA-Z]*[cesS]|--cmd|\+)/, overwrites)],
  ['awk gawk', when(/^(-i)?inplace$/, overwrites)],
  ['patch', overwrites, overwritesBy('d', 'directory'), overwritesBy('o', 'output')],
  [
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lz4 compress uncompress',
    unless(/^-[a-zA-Z0-9]*[cklt]|^--(stdout|to-stdout|keep|list|test)$/, overwrites),
  ],
  ['zstd unzstd', when(/^--rm$/, overwrites)],
  ['gcc cc g++ c++ clang clang++ rustc go ld gpg gpg2 pandoc', overwritesBy('o', 'output')],
  ['7z 7za 7zr', overwritesBy('o')],
  ['cpio', overwritesBy('D', 'directory')],
  ['rename prename', removes],
  ['perl ruby', (args, places) => has(args, /^-[a-zA-Z0-9]*i/) && overwrites(args, places)],
  ['curl', overwritesBy('o', 'output', 'output-dir')],
  ['wget', overwritesBy('O', 'output-document'), overwritesBy('P', 'directory-prefix')],
  ['sort', overwritesBy('o', 'output')],
  ['unzip', overwritesBy('d')],
  ['tar bsdtar', (args, places) => extracts(args) && (has(args, absolute) || overwritesBy('C', 'directory')(args, places))],
  [
    'dd',
    (args, places) =>
      args.some((word) => word.text.startsWith('of=') && places.isOverwrittenOutside({ ...word, text: word.text.slice(3) })),
  ],
  [
    'find',
    changesWhatItFinds,
    (args, places) => valuesBehind(args, /^-f(print0?|printf|ls)$/).some((file) => places.isOverwrittenOutside(file)),
  ],
  ['git', isRewritingPush, changesElsewhere, losesWork, overwritesBy('o', 'output')],
  ['fd fdfind', removesWhatItFinds],
  ['git-push git-send-pack', (args) => has(args, rewriting)],
  ['mkswap fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard badblocks cryptsetup dmsetup lvremove vgremove pvremove', always],
  ['zpool zfs', when(/^(destroy|labelclear|rollback)$/)],
  ['btrfs', when(/^delete$/)],
  ['mdadm', when(/^--zero-superblock$/)],
  ['nvme', when(/^(format|sanitize)$/)],
  ['hdparm', when(/^--security-/)],
  ['userdel deluser', always],
  ['shutdown reboot halt poweroff telinit killall5', always],
  ['init', (args) => has(args, /^[06]$/)],
  ['systemctl loginctl', (args) => has(args, /^(poweroff|reboot|halt|kexec|rescue|emergency)$/)],
  ['kill', (args) => has(args.slice(1), /^-1$/)],
  // The table that was there is gone.
  ['crontab', unless(/^-\w*l/, (args) => has(args, /^-\w*r/) || operandsOf(args).length > 0)],
]
const absolute = /^-[a-zA-Z]*P|^--absolute-names$/
const rules = new Map<string, readonly Rule[]>()
for (const [names, ...all] of lists) for (const name of names.split(' ')) rules.set(name, [...(rules.get(name) ?? []), ...all])

const valuesBehind = (args: readonly Word[], option: RegExp): readonly Word[] =>
  args.filter((_, index) => option.test(args[index - 1]?.text ?? ''))

/** What changes the files that it is given. */
const changers: ReadonlySet<string> = new Set([
  ...removers,
  'mv',
  'chmod',
  'chown',
  'chgrp',
  'truncate',
  'setfacl',
  'chattr',
  'dd',
  'sed',
  'tee',
])
/** Tests of `find` by which it finds a part only. */
const narrowing =
  /^-(i?(name|path|wholename|regex)|l?name|size|[amcB]?(time|min)|newer.*|empty|user|group|uid|gid|nouser|nogroup|perm|links|inum|samefile)$/

/** Tests that find all but a few, or all: `! -name x`, `-name '*'`. */
const widening = (args: readonly Word[]): boolean =>
  has(args, /^(!|-not|-o|-or)$/) || args.some(({ text }, index) => /^[*?.^$]+$/.test(text) && narrowing.test(args[index - 1]?.text ?? ''))

/** `find` that removes, or has changed, what it finds: outside, or all of the workspace. */
function changesWhatItFinds(args: readonly Word[], places: Places): boolean {
  const given = startsOf(args)
  const starts = given.length > 0 ? given : [literal('.')]
  const runs = valuesBehind(args, /^-(exec|ok)(dir)?$/)
  const isRemoving = has(args, /^-delete$/) || (runs.length > 0 && args.some((word) => removers.has(nameOf(word))))
  if (!isRemoving && !runs.some((word) => changers.has(nameOf(word)))) return false
  if (starts.some((target) => places.isOutside(target))) return true
  return isRemoving && (!has(args, narrowing) || widening(args)) && starts.some((target) => places.isRemovedOutside(target))
}

/** `fd` that has a remover run on what it finds: outside, or on everything. */
function removesWhatItFinds(args: readonly Word[], places: Places): boolean {
  const at = args.findIndex(({ text }) => /^(-[xX]|--exec(-batch)?)$/.test(text))
  if (at < 0 || !args.slice(at).some((word) => removers.has(nameOf(word)))) return false
  const operands = operandsOf(args.slice(0, at))
  return operands.length === 0 || operands.some((target) => places.isOutside(target))
}

/** Where a `find` begins: what stands before its first test. */
function startsOf(args: readonly Word[]): readonly Word[] {
  const starts = args.filter(({ text }) => !/^-[HLPO]/.test(text))
  const test = starts.findIndex(({ text }) => /^[-!(]/.test(text))
  return test < 0 ? starts : starts.slice(0, test)
}

/** Overwrites or removes what stands at the other end. Options may be shortened. */
const rewriting = /^(--(force.*|m[a-z]*|de[a-z]*|pru[a-z]*)|-[a-zA-Z]*[fd][a-zA-Z]*|[+:].+)$/

/** What changes files of the folder that git is sent to. */
const changing = /^(clean|reset|checkout|restore|rm|switch|stash|worktree|merge|rebase|pull|branch|update-ref|filter-branch)$/

/** Git that changes another folder than this one, or removes one. */
function changesElsewhere(args: readonly Word[], places: Places): boolean {
  const at = args.findIndex(({ text }) => changing.test(text))
  if (at < 0) return false
  const folders = [...valuesOf(args.slice(0, at), 'C', 'work-tree', 'git-dir')]
  if (folders.some((folder) => places.isOutside(folder))) return true
  return args[at]?.text === 'worktree' && args[at + 1]?.text === 'remove' && removes(args.slice(at + 2), places)
}

/** `git … push` that does. */
function isRewritingPush(args: readonly Word[]): boolean {
  const at = subcommandAt(args)
  if (!/^(push|send-pack)$/.test(args[at]?.text ?? '')) return false
  return has(args.slice(at + 1), rewriting) || has(args.slice(0, at), /(^|^-c)remote\..*\.(mirror|push)\b/i)
}
