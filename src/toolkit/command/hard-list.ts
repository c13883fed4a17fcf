import { placesOf } from './places.ts'
import type { Places } from './places.ts'
import { parseScript } from './parse.ts'
import type { SimpleCommand } from './parse.ts'
import { wrapperNames } from './inside.ts'
import { nameOf } from './words.ts'
import type { Word } from './words.ts'

export type Surroundings = {
  /** The folder that the command starts in, links resolved. */
  readonly cwd: string
  /** Links resolved. */
  readonly workspace: string
  readonly home: string
}

/** How deep scripts may stand in scripts (`sh -c`, substitutions) before they are not judged any more. */
const maxDepth = 8

/**
 * May this shell command do what cannot be undone? True for what is on a short list (removing or overwriting outside the
 * workspace, disks, shutting down, pushes that rewrite history) and for what cannot be taken apart.
 *
 * It follows `cd`, quotes, substitutions, `eval`, `sh -c` and wrappers such as `sudo`, but no values of variables and no scripts in
 * files: a question to the user, not a wall. A removal of what a variable names counts as outside.
 */
export function isOnHardList(script: string, surroundings: Surroundings): boolean {
  return judgeScript(script, placesOf(surroundings), 0)
}

function judgeScript(script: string, places: Places, depth: number): boolean {
  const { commands, isComplete } = parseScript(script)
  if (!isComplete || depth > maxDepth || forkBomb.test(script)) return true
  return commands.some((command) => judgeCommand(command, places, depth))
}

const forkBomb = /([\w:.]{1,50})\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&/

function judgeCommand(command: SimpleCommand, places: Places, depth: number): boolean {
  if (command.writesTo.some((target) => places.isOverwrittenOutside(target))) return true
  const { words } = command
  if (!wrapperNames.has(nameOf(words[0]))) return judgeCall(words, command, places, depth)
  return words.length > maxWrapped || words.some((_, index) => judgeCall(words.slice(index), command, places, depth))
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])
const removers = new Set(['rm', 'rmdir', 'unlink', 'shred'])

/** Words behind a wrapper; more are not judged, which is true. */
const maxWrapped = 200

/** What `eval`, `trap` and `alias` run later or at once. */
const scriptsOf = (name: string, args: readonly Word[]): readonly string[] =>
  name === 'eval'
    ? [args.map(({ text }) => text).join(' ')]
    : name === 'trap' || name === 'alias'
      ? args.map(({ text }) => text.replace(/^\w+=/, ''))
      : []

function judgeCall(words: readonly Word[], command: SimpleCommand, places: Places, depth: number): boolean {
  const name = nameOf(words[0])
  const args = words.slice(1)
  if (name === 'cd' || name === 'pushd') places.enter(operandsOf(args)[0])
  if (name === 'popd') places.enter(undefined)
  const scripts = scriptsOf(name, args)
  if (scripts.some((script) => judgeScript(script, places, depth + 1))) return true
  if (shells.has(name)) return judgeShell(args, command, places, depth)
  // What it removes stands in its input.
  if (name === 'xargs' && args.some((word) => removers.has(nameOf(word)))) return true
  return /^mkfs(\.|$)/.test(name) || (rules.get(name)?.(args, places) ?? false)
}

/** A shell runs what follows `-c`, a here-document, or what another command writes; nobody knows what that will be. */
function judgeShell(args: readonly Word[], { heredocs }: SimpleCommand, places: Places, depth: number): boolean {
  const flag = args.findIndex(({ text }) => /^[-+]\w*c$/.test(text))
  const scripts = [
    ...heredocs.map(({ text }) => text),
    ...operandsOf(args.slice(Math.max(flag, 0) + (flag < 0 ? 0 : 1)))
      .slice(0, flag < 0 ? 0 : 1)
      .map(({ text }) => text),
  ]
  const asksAboutItself = args.some(({ text }) => /^--(version|help)$/.test(text))
  const isFed = flag < 0 && heredocs.length === 0 && !asksAboutItself && (operandsOf(args).length === 0 || has(args, /^-\w*s/))
  return isFed || scripts.some((text) => judgeScript(text, places, depth + 1))
}

type Rule = (args: readonly Word[], places: Places) => boolean

const always: Rule = () => true
const has = (args: readonly Word[], pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text))

/** What is no option; behind `--` nothing is one. */
function operandsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  const options = end < 0 ? args : args.slice(0, end)
  return [...options.filter(({ text }) => !text.startsWith('-') || text === '-'), ...(end < 0 ? [] : args.slice(end + 1))]
}

const removes: Rule = (args, places) => operandsOf(args).some((target) => places.isRemovedOutside(target))
const overwrites: Rule = (args, places) => operandsOf(args).some((target) => places.isOverwrittenOutside(target))
const overwritesLast: Rule = (args, places) => {
  const into = args.findIndex(({ text }) => text === '-t' || text === '--target-directory')
  const joined = args.find(({ text }) => text.startsWith('--target-directory='))
  const target = joined ? { ...joined, text: joined.text.replace(/^[^=]*=/, '') } : into >= 0 ? args[into + 1] : operandsOf(args).at(-1)
  return target !== undefined && places.isOverwrittenOutside(target)
}

const rules = new Map<string, Rule>([
  ...[...removers].map((name) => [name, removes] as const),
  ['mv', (args, places) => operandsOf(args).some((target) => places.isRemovedOutside(target)) || overwritesLast(args, places)],
  ...['cp', 'install', 'ln', 'rsync'].map((name) => [name, overwritesLast] as const),
  ...['tee', 'truncate', 'chmod', 'chown', 'chgrp'].map((name) => [name, overwrites] as const),
  ['sed', (args, places) => has(args, /^(-[a-zA-Z]*i|--in-place)/) && overwrites(args, places)],
  [
    'dd',
    (args, places) =>
      args.some((word) => word.text.startsWith('of=') && places.isOverwrittenOutside({ ...word, text: word.text.slice(3) })),
  ],
  [
    'find',
    (args, places) =>
      (has(args, /^-delete$/) || (has(args, /^-(exec|ok)/) && args.some((word) => removers.has(nameOf(word))))) &&
      startsOf(args).some((target) => places.isOutside(target)),
  ],
  ['git', (args) => isRewritingPush(args)],
  ...['mkswap', 'fdisk', 'sfdisk', 'cfdisk', 'parted', 'wipefs', 'blkdiscard', 'lvremove', 'vgremove', 'pvremove'].map(
    (name) => [name, always] as const,
  ),
  ...['shutdown', 'reboot', 'halt', 'poweroff', 'telinit', 'killall5'].map((name) => [name, always] as const),
  ['init', (args) => has(args, /^[06]$/)],
  ['systemctl', (args) => has(args, /^(poweroff|reboot|halt|kexec|rescue|emergency)$/)],
  ['kill', (args) => has(args.slice(1), /^-1$/)],
  ['crontab', (args) => has(args, /^-\w*r/)],
])

/** Where a `find` begins: what stands before its first test. */
function startsOf(args: readonly Word[]): readonly Word[] {
  const starts = args.filter(({ text }) => !/^-[HLPO]/.test(text))
  const test = starts.findIndex(({ text }) => /^[-!(]/.test(text))
  return test < 0 ? starts : starts.slice(0, test)
}

/** `git … push` that overwrites or removes what stands at the other end. */
function isRewritingPush(args: readonly Word[]): boolean {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(args[at]!.text) ? 2 : 1
  if (args[at]?.text !== 'push') return false
  return has(args.slice(at + 1), /^(--force.*|--mirror|--delete|--prune|-[a-zA-Z]*[fd][a-zA-Z]*|[+:].+)$/)
}
