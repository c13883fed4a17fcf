import { has, operandsOf, valuesOf } from './options.ts'
import type { Places } from './places.ts'
import { literal, nameOf } from './words.ts'
import type { Word } from './words.ts'

type Rule = (args: readonly Word[], places: Places) => boolean

/** May a program, called like this, do what cannot be undone? The short list. */
export const cannotBeUndone = (name: string, args: readonly Word[], places: Places): boolean =>
  /^mkfs(\.|$)/.test(name) || (rules.get(name)?.some((rule) => rule(args, places)) ?? false)

export const removers: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'rimraf'])

const always: Rule = () => true
const removes: Rule = (args, places) => operandsOf(args).some((target) => places.isRemovedOutside(target))
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

const extracts = (args: readonly Word[]): boolean =>
  /^[a-zA-Z]*x/.test(args[0]?.text ?? '') || has(args, /^(-[a-zA-Z]*x.*|--(extract|get))$/)

const lists: readonly (readonly [names: string, ...rules: readonly Rule[]])[] = [
  [[...removers].join(' '), removes],
  ['mv', removes, overwritesInto],
  ['cp install ln', overwritesInto],
  ['rsync scp', overwritesLast],
  ['tee truncate chmod chown chgrp', overwrites],
  ['sed', (args, places) => has(args, /^(-[a-zA-Z]*i|--in-place)/) && overwrites(args, places)],
  ['perl ruby', (args, places) => has(args, /^-[a-zA-Z0-9]*i/) && overwrites(args, places)],
  ['curl', overwritesBy('o', 'output', 'output-dir')],
  ['wget', overwritesBy('O', 'output-document'), overwritesBy('P', 'directory-prefix')],
  ['sort', overwritesBy('o', 'output')],
  ['unzip', overwritesBy('d')],
  ['tar bsdtar', (args, places) => extracts(args) && overwritesBy('C', 'directory')(args, places)],
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
  ['git', isRewritingPush],
  ['git-push git-send-pack', (args) => has(args, rewriting)],
  ['mkswap fdisk sfdisk cfdisk parted wipefs blkdiscard lvremove vgremove pvremove', always],
  ['shutdown reboot halt poweroff telinit killall5', always],
  ['init', (args) => has(args, /^[06]$/)],
  ['systemctl', (args) => has(args, /^(poweroff|reboot|halt|kexec|rescue|emergency)$/)],
  ['kill', (args) => has(args.slice(1), /^-1$/)],
  ['crontab', (args) => has(args, /^-\w*r/)],
]
const rules = new Map(lists.flatMap(([names, ...all]) => names.split(' ').map((name) => [name, all] as const)))

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

/** `find` that removes, or has changed, what it finds: outside, or all of the workspace. */
function changesWhatItFinds(args: readonly Word[], places: Places): boolean {
  const given = startsOf(args)
  const starts = given.length > 0 ? given : [literal('.')]
  const runs = valuesBehind(args, /^-(exec|ok)(dir)?$/)
  const isRemoving = has(args, /^-delete$/) || (runs.length > 0 && args.some((word) => removers.has(nameOf(word))))
  if (!isRemoving && !runs.some((word) => changers.has(nameOf(word)))) return false
  if (starts.some((target) => places.isOutside(target))) return true
  return isRemoving && !has(args, narrowing) && starts.some((target) => places.isRemovedOutside(target))
}

/** Where a `find` begins: what stands before its first test. */
function startsOf(args: readonly Word[]): readonly Word[] {
  const starts = args.filter(({ text }) => !/^-[HLPO]/.test(text))
  const test = starts.findIndex(({ text }) => /^[-!(]/.test(text))
  return test < 0 ? starts : starts.slice(0, test)
}

/** Overwrites or removes what stands at the other end. Options may be shortened. */
const rewriting = /^(--(force.*|m[a-z]*|de[a-z]*|pru[a-z]*)|-[a-zA-Z]*[fd][a-zA-Z]*|[+:].+)$/

/** `git … push` that does. */
function isRewritingPush(args: readonly Word[]): boolean {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(args[at]!.text) ? 2 : 1
  if (!/^(push|send-pack)$/.test(args[at]?.text ?? '')) return false
  return has(args.slice(at + 1), rewriting) || has(args.slice(0, at), /(^|^-c)remote\..*\.(mirror|push)\b/i)
}
