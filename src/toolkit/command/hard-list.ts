import { placesOf } from './places.ts'
import type { Places } from './places.ts'
import { splitCommands } from './split-commands.ts'
import type { SimpleCommand } from './split-commands.ts'
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
 * A first form, without a parser of the shell's grammar: it follows `cd`, quotes, substitutions, `sh -c` and wrappers such as
 * `sudo`, but no variables, functions or scripts in files, and is a question to the user, not a wall. A removal of what a variable
 * names counts as outside.
 */
export function isOnHardList(script: string, surroundings: Surroundings): boolean {
  return judgeScript(script, placesOf(surroundings), 0)
}

function judgeScript(script: string, places: Places, depth: number): boolean {
  const { commands, inner, isComplete } = splitCommands(script)
  if (!isComplete || depth > maxDepth || forkBomb.test(script)) return true
  return commands.some((command) => judgeCommand(command, places, depth)) || inner.some((nested) => judgeScript(nested, places, depth + 1))
}

const forkBomb = /([\w:.]{1,50})\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&/

function judgeCommand(command: SimpleCommand, places: Places, depth: number): boolean {
  if (command.writesTo.some((target) => places.isOverwrittenOutside(target))) return true
  const words = withoutPrefix(command.words)
  if (!wrappers.has(nameOf(words[0]))) return judgeCall(words, command, places, depth)
  return words.length > maxWrapped || words.some((_, index) => judgeCall(words.slice(index), command, places, depth))
}

/** Words that may stand before a command and are none. */
const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', 'time', 'coproc'])

function withoutPrefix(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !keywords.has(text) && !/^\w+\+?=/.test(text))
  return first < 0 ? [] : words.slice(first)
}

const nameOf = (word: Word | undefined): string => word?.text.replace(/^.*\//, '') ?? ''

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])
const removers = new Set(['rm', 'rmdir', 'unlink', 'shred'])

/** Run what stands behind them. Which of their words are their own is not worked out: every rest counts as a call. */
const wrappers = new Set([
  'sudo',
  'doas',
  'env',
  'command',
  'builtin',
  'exec',
  'nohup',
  'nice',
  'ionice',
  'time',
  'timeout',
  'stdbuf',
  'setsid',
  'xargs',
  'parallel',
  'watch',
  'flock',
  'chroot',
  'busybox',
  'find',
  'unshare',
  'strace',
])

/** Words behind a wrapper; more are not judged, which is true. */
const maxWrapped = 200

function judgeCall(words: readonly Word[], command: SimpleCommand, places: Places, depth: number): boolean {
  const name = nameOf(words[0])
  const args = words.slice(1)
  if (name === 'cd' || name === 'pushd') places.enter(operandsOf(args)[0])
  if (name === 'popd') places.enter(undefined)
  if (name === 'eval') return judgeScript(args.map(({ text }) => text).join(' '), places, depth + 1)
  if (shells.has(name)) return judgeShell(args, command, places, depth)
  // What it removes stands in its input.
  if (name === 'xargs' && args.some((word) => removers.has(nameOf(word)))) return true
  return /^mkfs(\.|$)/.test(name) || (rules.get(name)?.(args, places) ?? false)
}

/** A shell runs what follows `-c`, a here-document, or what another command writes; nobody knows what that will be. */
function judgeShell(args: readonly Word[], { after, heredocs }: SimpleCommand, places: Places, depth: number): boolean {
  const flag = args.findIndex(({ text }) => /^-\w*c$/.test(text))
  const script = flag >= 0 ? args[flag + 1]?.text : undefined
  const isFed = after === '|' && args.every(({ text }) => text.startsWith('-')) && flag < 0
  return isFed || [...heredocs, ...(script === undefined ? [] : [script])].some((text) => judgeScript(text, places, depth + 1))
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
