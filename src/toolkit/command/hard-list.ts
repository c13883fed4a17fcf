import type { Lookups } from '../../host/file-system.ts'
import { destroysData, losesData } from './beyond.ts'
import { cannotBeUndone, mayRemove, removers } from './cannot-be-undone.ts'
import { multiplies } from './functions.ts'
import { callsBehindWords, formsInWords } from './in-words.ts'
import { insideOf, isStream, shells, wrapperNames } from './inside.ts'
import { operandsOf } from './options.ts'
import { parseScript } from './parse.ts'
import type { SimpleCommand } from './parse.ts'
import { placesOf } from './places.ts'
import type { Places } from './places.ts'
import { literal, nameOf, textOfWords } from './words.ts'
import type { Word } from './words.ts'

export type Surroundings = {
  /** What the machine answers that the command runs on. */
  readonly look: Lookups
  /** The folder that the command starts in, links resolved. */
  readonly cwd: string
  /** Links resolved. */
  readonly workspace: string
  readonly home: string
  /** Where programs are looked for. */
  readonly path?: string | undefined
}

/** How deep scripts may stand in scripts (`sh -c`, substitutions) before they are not judged any more. */
const maxDepth = 8

/**
 * May this shell command do what cannot be undone? True for what is on a short list (removing or overwriting outside the
 * workspace, disks, shutting down, pushes that rewrite history, work that is in no commit, data of services and clusters) and for what
 * cannot be taken apart.
 *
 * It follows `cd`, quotes, substitutions, `eval`, `sh -c` and wrappers such as `sudo`, but no values of variables and no scripts in
 * files: a question to the user, not a wall. A removal of what a variable names counts as outside.
 */
export function isOnHardList(script: string, surroundings: Surroundings): boolean {
  return judgeScript(script, placesOf(surroundings), 0)
}

function judgeScript(script: string, places: Places, depth: number): boolean {
  const { commands, variables, isComplete, functions } = parseScript(script)
  if (!isComplete || depth > maxDepth || multiplies(functions)) return true
  for (const name of variables) places.sets(name)
  return commands.some((command) => judgeCommand(command, places, depth)) || isFedToData(commands)
}

/** Does a program of a database get, by a pipe or a here-document, what takes the data away? */
function isFedToData(commands: readonly SimpleCommand[]): boolean {
  const fed: string[] = []
  for (const { words, after, heredocs } of commands) {
    if (after !== '|') fed.length = 0
    fed.push(...heredocs.map(({ text }) => text))
    if (fed.length > 0 && words.slice(0, maxWrapped).some((word) => losesData(nameOf(word), fed))) return true
    fed.push(textOfWords(words))
  }
  return false
}

/** Characters of a value that is looked at as a command. */
const maxValue = 1000

/** Words behind a wrapper; more are not judged, which is true. */
const maxWrapped = 200

function judgeCommand(command: SimpleCommand, places: Places, depth: number): boolean {
  if (command.writesTo.some((target) => places.isOverwrittenOutside(target))) return true
  const { words, assignments } = command
  // As an argument, too: of `read`, of `printf -v`.
  for (const name of [...assignments.map((assigned) => assigned.name), ...words.map(({ text }) => text)]) places.sets(name)
  // A pager, an editor, a prompt: values that are commands.
  if (
    assignments.some(
      ({ value }) => value && /\S\s+\S/.test(value.text) && value.text.length < maxValue && removesBy(value.text.trim(), places),
    )
  )
    return true
  if (!wrapperNames.has(nameOf(words[0]))) return judgeCall(words, command, places, depth)
  if (words.length > maxWrapped) return true
  for (const folder of foldersOf(words)) places.enter(folder)
  // Cut off where they end: `find -exec … ;`. What `find` puts in the place of `{}` is judged by where it begins.
  const inside = insideOf(words, command).calls.map((call) => call.map((word) => (word.text === '{}' ? literal('{}') : word)))
  const calls = [...words.map((_, index) => words.slice(index)), ...inside]
  // In one word, as `watch` and `ssh` take it; what is no script is none.
  if (words.slice(1).some(({ text }) => /\S\s+\S/.test(text) && parseScript(text).isComplete && judgeScript(text, places, depth + 1)))
    return true
  return calls.some((call) => judgeCall(call, command, places, depth))
}

/** Where a wrapper goes before it runs something: `env -C`, `sudo -D`, `unshare --wd`. With another root nobody knows where. */
function foldersOf([first, ...args]: readonly Word[]): readonly (Word | undefined)[] {
  const folders = args.flatMap((word, index): (Word | undefined)[] => {
    if (/^(-[CD]|--(chdir|wd|wdns|working-directory))$/.test(word.text)) return [args[index + 1]]
    const joined = /^(?:-[CD]|--(?:chdir|wd|wdns|working-directory)=)(.+)$/s.exec(word.text)?.[1]
    return joined === undefined ? [] : [{ ...word, text: joined }]
  })
  return nameOf(first) === 'chroot' ? [...folders, undefined] : folders
}

/** What these run later or at once. */
function scriptsOf(name: string, args: readonly Word[], { heredocs }: SimpleCommand): readonly string[] {
  if (name === 'eval') return [args.map(({ text }) => text).join(' ')]
  if (name === 'trap' || name === 'alias') return args.map(({ text }) => text.replace(/^\w+=/, ''))
  return /^(\.|source|at|batch)$/.test(name) ? heredocs.map(({ text }) => text) : []
}

/** No wrappers, and they run what stands in their arguments. */
const runsInside = /^(git|mapfile|readarray|compgen|git-shell)$/
/** What stands behind an option of these is no command, or runs elsewhere. */
const keepsWords = /^([efz]?grep|rg|sed|awk|docker|podman|nerdctl|kubectl|lxc|echo|printf|find|tar|curl|wget|test|\[|rm|cp|mv)$/

function judgeCall(words: readonly Word[], command: SimpleCommand, places: Places, depth: number): boolean {
  const name = nameOf(words[0])
  const args = words.slice(1)
  if (name === 'cd' || name === 'pushd') places.enter(operandsOf(args)[0])
  if (name === 'popd') places.enter(undefined)
  if (scriptsOf(name, args, command).some((script) => judgeScript(script, places, depth + 1))) return true
  if (name === 'eval' && args.some(isWritten)) return true
  // What it runs later comes through the pipe.
  if (/^(at|batch)$/.test(name) && command.after === '|' && command.heredocs.length === 0) return true
  if (shells.has(name)) return judgeShell(args, command, places, depth)
  if ((name === '.' || name === 'source') && command.heredocs.length === 0 && args[0] && isStream(args[0])) return true
  // What it removes stands in its input.
  if (/^(xargs|parallel)$/.test(name) && args.some(({ text }) => removers.has(nameOf(literal(text.split(/\s/)[0] ?? ''))))) return true
  if (runsInside.test(name)) {
    const { calls, scripts } = insideOf(words, command)
    if (scripts.some((script) => judgeScript(script, places, depth + 1))) return true
    if (calls.some((call) => judgeCall(call, command, places, depth + 1))) return true
  } else if (
    keepsWords.test(name)
      ? destroysDataInside(words, depth)
      : callsBehindWords(words).some((call) => cannotBeUndone(nameOf(call[0]), call.slice(1), places))
  )
    return true
  if (cannotBeUndone(name, args, places) || (words[0] && mayRemove(words[0], args, places))) return true
  if (!elsewhere.test(name) && formsInWords({ words, command }).some(({ text }) => removesBy(text, places))) return true
  const [target, link] = /^(ln|mount)$/.test(name) ? operandsOf(args).slice(-2) : []
  if (target) places.link(target, link)
  return false
}

/** In a container, too, data that is gone is gone: `docker exec db psql -c …`. */
function destroysDataInside(words: readonly Word[], depth: number): boolean {
  return callsBehindWords(words).some((call) => {
    const [first, ...args] = call
    if (destroysData(nameOf(first), args)) return true
    if (!shells.has(nameOf(first)) || depth > maxDepth) return false
    const scripts = args.filter(({ text }) => /\s/.test(text)).map(({ text }) => parseScript(text))
    return scripts.some(
      ({ commands }) => isFedToData(commands) || commands.some((inner) => destroysData(nameOf(inner.words[0]), inner.words.slice(1))),
    )
  })
}

/** What these are given runs in another place. */
const elsewhere = /^(docker|podman|nerdctl|kubectl|lxc)$/

/** A remover in the text of another program: `awk 'BEGIN{system("rm -rf /")}'`. */
function removesBy(text: string, places: Places): boolean {
  const [name = '', ...args] = text.split(/\s+/)
  return removers.has(nameOf(literal(name))) && cannotBeUndone(nameOf(literal(name)), args.map(literal), places)
}

/** Is it what another command writes, so that nobody knows what it is? */
const isWritten = ({ text, isOpen }: Word): boolean => isOpen && /^(\$\((?!\()|`)/.test(text)

/** A shell runs what follows `-c`, a here-document, or what another command writes; nobody knows what that will be. */
function judgeShell(args: readonly Word[], { heredocs }: SimpleCommand, places: Places, depth: number): boolean {
  const flag = args.findIndex(({ text }) => /^[-+]\w*c$/.test(text))
  const scripts = [
    ...heredocs.map(({ text }) => text),
    ...operandsOf(args.slice(Math.max(flag, 0) + (flag < 0 ? 0 : 1)))
      .slice(0, flag < 0 ? 0 : 1)
      .map(({ text }) => text),
  ]
  const [file] = operandsOf(args)
  const asksAboutItself = args.some(({ text }) => /^--(version|help)$/.test(text))
  if (
    flag >= 0 &&
    operandsOf(args.slice(flag + 1))
      .slice(0, 1)
      .some(isWritten)
  )
    return true
  const readsStream = file === undefined || isStream(file) || args.some(({ text }) => /^-\w*s/.test(text))
  const isFed = flag < 0 && heredocs.length === 0 && !asksAboutItself && readsStream
  return isFed || scripts.some((text) => judgeScript(text, places, depth + 1))
}
