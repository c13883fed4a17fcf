import { behindFlag, merge, nothing, opaque, scriptsOf } from './inside-parts.ts'
import type { Inside } from './inside-parts.ts'
import { ofGit } from './inside-git.ts'
import { valuesOf } from './options.ts'
import type { SimpleCommand } from './parse.ts'
import { literal, nameOf, textOfWords, unknown } from './words.ts'
import type { Word } from './words.ts'

/** Options of a wrapper that take the next word; those of `flags` stand alone. Another one makes the rest unreadable. */
type Wrapper = { readonly flags: RegExp; readonly values?: RegExp; readonly operands?: number; readonly assigns?: boolean }

const none = /^$/
const wrappers = new Map<string, Wrapper>([
  [
    'sudo',
    {
      flags: /^-[AbEHnPSk]+$|^--(preserve-env(=.*)?|non-interactive|login-class=.*|user=.*|group=.*)$/,
      values: /^-[ugCpThRDr]$|^--(user|group)$/,
      assigns: true,
    },
  ],
  ['doas', { flags: /^-n$/, values: /^-[uC]$/ }],
  ['env', { flags: /^-[i0v]*$|^--(ignore-environment|null|debug|unset=.*|chdir=.*)$/, values: /^-[uC]$|^--(unset|chdir)$/, assigns: true }],
  ['command', { flags: /^-p$/ }],
  ['builtin', { flags: none }],
  ['exec', { flags: /^-[cl]+$/, values: /^-a$/ }],
  ['nohup', { flags: none }],
  ['nice', { flags: /^-n?-?\d+$|^--adjustment=.*$/, values: /^-n$|^--adjustment$/ }],
  ['ionice', { flags: /^-t$|^-[cn]\d$/, values: /^-[cn]$/ }],
  ['time', { flags: /^-[pvaq]$/, values: /^-[of]$/ }],
  ['timeout', { flags: /^-v$|^--(preserve-status|foreground|verbose|signal=.*|kill-after=.*)$|^-[sk].+$/, values: /^-[sk]$/, operands: 1 }],
  ['stdbuf', { flags: /^-[ioe].+$/, values: /^-[ioe]$/ }],
  ['setsid', { flags: /^-[cfw]+$|^--(fork|wait|ctty)$/ }],
  ['chroot', { flags: /^--(userspec|groups)=.*$/, operands: 1 }],
  ['busybox', { flags: none }],
  ['unshare', { flags: /^-[a-zA-Z]+$|^--[a-z-]+(=.*)?$/ }],
  ['strace', { flags: /^-[fqvtTyr]+$/, values: /^-[eosp]$/ }],
  ['catchsegv', { flags: none }],
  ['dbus-run-session', { flags: /^--$/ }],
  ['xvfb-run', { flags: /^-a$/ }],
])

const others = [
  'xargs',
  'parallel',
  'watch',
  'flock',
  'find',
  'fd',
  'script',
  'su',
  'runuser',
  'eval',
  'noglob',
  'nocorrect',
  'proot',
  'systemd-run',
  'ssh-agent',
  'entr',
]

/** Run what stands behind them as well; what they are called with is judged like any program's. */
const launchers =
  'taskset chrt numactl prlimit ltrace valgrind perf unbuffer ssh nsenter setarch linux32 linux64 i386 x86_64 setpriv capsh runcon fakeroot ' +
  'fakechroot faketime eatmydata proxychains proxychains4 torsocks torify tsocks cpulimit trickle chpst softlimit setuidgid envuidgid ' +
  's6-setuidgid gosu su-exec tini dumb-init pkexec gksu gksudo kdesu dbus-launch sg bwrap firejail start-stop-daemon daemonize cgexec ' +
  'coresched uclampset npx bunx pnpx cross-env cross-env-shell dotenv hyperfine watchexec nodemon rlwrap chronic ifne systemd-inhibit ' +
  'caffeinate gtimeout gnice gstdbuf genv gnohup toybox pidproxy nix-shell direnv entr'

/** Programs that run what stands behind them. */
export const wrapperNames: ReadonlySet<string> = new Set([...wrappers.keys(), ...others, ...launchers.split(' ')])

export const shells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash mksh rbash fish csh tcsh yash'.split(' '))

/** A file that is none: what comes through a pipe, or what a substitution writes. */
export const isStream = ({ text, isOpen }: Word): boolean =>
  /^\/dev\/(stdin|fd\/|tcp\/|udp\/)|^\/proc\/[^/]+\/fd\//.test(text) || (isOpen && text.startsWith('<('))

/** What runs inside a command: behind a wrapper, in `find -exec`, in the text of `bash -c`. One level; what it finds may hold more. */
export function insideOf(words: readonly Word[], command: SimpleCommand): Inside {
  const [first, ...args] = words
  if (!first) return nothing
  if (first.isOpen || first.isPattern) return opaque
  const name = nameOf(first)
  const wrapper = wrappers.get(name)
  if (wrapper) return behind(wrapper, name, args)
  if (shells.has(name)) return ofShell(args, command)
  const found = special.get(name)?.(args, command)
  if (found) return found
  return others.includes(name) ? opaque : nothing
}

function behind({ flags, values = none, operands = 0, assigns = false }: Wrapper, name: string, args: readonly Word[]): Inside {
  let at = 0
  // `command -v` asks where a program is.
  if (name === 'command' && /^-[vV]$/.test(args[0]?.text ?? '')) return nothing
  if (name === 'env' && /^(-S|--split-string)/.test(args[0]?.text ?? '')) return opaque
  while (at < args.length) {
    const { text, isOpen } = args[at]!
    if (isOpen && /^[-$]/.test(text)) return opaque
    if (text === '--') {
      at++
      break
    }
    if (values.test(text)) at += 2
    else if (text.startsWith('-') && flags.test(text)) at++
    else if (assigns && /^\w+=/.test(text)) at++
    else if (text.startsWith('-')) return opaque
    else break
  }
  while (assigns && /^\w+=/.test(args[at]?.text ?? '')) at++
  const rest = args.slice(at + operands)
  return rest.length === 0 ? nothing : { ...nothing, calls: [rest] }
}

/** `bash -c TEXT`, a here-document; else a file, or what comes through a pipe. */
function ofShell(args: readonly Word[], { heredocs }: SimpleCommand): Inside {
  let at = 0
  let isText = false
  for (; at < args.length; at++) {
    const { text, isOpen } = args[at]!
    if (isOpen && !isText) return opaque
    if (text === '--' || text === '-' || !/^[-+]./.test(text)) break
    if (/^-[a-zA-Z]*c/.test(text)) isText = true
    else if (/^[-+][oO]$/.test(text)) at++
    else if (/^--(rcfile|init-file)$/.test(text)) return opaque
    if (/^-\w*[os]$/.test(text) && isText) return opaque
  }
  if (/^--?$/.test(args[at]?.text ?? '')) at++
  const script = args[at]
  if (script && isStream(script) && !isText)
    return heredocs.length === 0 ? opaque : { ...opaque, scripts: heredocs.map(({ text }) => text) }
  if (isText) return script && !script.isOpen ? { ...nothing, scripts: [script.text] } : opaque
  if (script && !args.some(({ text }) => /^-\w*s/.test(text))) return nothing
  if (heredocs.length === 0) return args.some(({ text }) => /^--(version|help)$/.test(text)) ? nothing : opaque
  return { ...nothing, scripts: heredocs.map(({ text }) => text), isOpaque: heredocs.some(({ isOpen }) => isOpen) }
}

/** Reads what it runs from a file that is none, or from its input. */
const ofFed = (args: readonly Word[], { heredocs }: SimpleCommand): Inside =>
  heredocs.length > 0
    ? { ...opaque, scripts: heredocs.map(({ text }) => text) }
    : args.length === 0 || args.some((word) => word.isOpen || isStream(word))
      ? opaque
      : nothing

const scriptsOrNothing = (words: readonly Word[]): Inside => merge(words.map((word) => scriptsOf([word])))

const special = new Map<string, (args: readonly Word[], command: SimpleCommand) => Inside | undefined>([
  ['.', ofFed],
  ['source', ofFed],
  ['at', (_, command) => ofFed([], command)],
  ['batch', (_, command) => ofFed([], command)],
  // What is called by a name from then on is something else.
  ['hash', (args) => (args.some(({ text }) => /^-\w*p/.test(text)) ? opaque : nothing)],
  ['enable', (args) => (args.length > 0 ? opaque : nothing)],
  // It runs what it is given, and works out a list of words.
  [
    'compgen',
    (args) =>
      args.some(({ text, isOpen }) => isOpen || /^-\w*[CFW]/.test(text))
        ? merge([
            opaque,
            ...['C', 'W'].map((letter) =>
              scriptsOf(valuesOf(args, letter).map(({ text }) => literal(letter === 'W' ? `: "${text}"` : text))),
            ),
          ])
        : nothing,
  ],
  // What was typed before, which is not seen here.
  ['fc', () => opaque],
  ['crontab', (args) => (args.every(({ text }) => text === '-') ? opaque : nothing)],
  ['rg', (args) => scriptsOrNothing(valuesOf(args, '\0', 'pre', 'hostname-bin'))],
  ['git-shell', (args) => behindFlag(args, /^-c$/)],
  ['eval', (args) => scriptsOf(args[0]?.text === '--' ? args.slice(1) : args)],
  [
    'trap',
    (args) => (args.length < 2 || /^-[lp]?$/.test(args[0]!.text) ? nothing : scriptsOf([args[0]!.text === '--' ? args[1]! : args[0]!])),
  ],
  [
    'alias',
    (args) => ({
      ...merge(args.map((word) => scriptsOf([{ ...word, text: word.text.replace(/^[^=]*=/, '') }]))),
      // What is called by that name from then on is something else.
      isOpaque: args.some(({ text, isOpen }) => isOpen || text.includes('=')),
    }),
  ],
  ['mapfile', ofMapfile],
  ['readarray', ofMapfile],
  ['xargs', ofXargs],
  ['find', ofFind],
  ['git', ofGit],
  ['watch', (args) => ({ ...opaque, scripts: [textOfWords(args.filter(({ text }) => !text.startsWith('-')))] })],
  ['su', (args) => behindFlag(args, /^-c$|^--command$/)],
  ['script', (args) => behindFlag(args, /^-\w*c$|^--command$/)],
])

/** Runs its callback with what it has read. */
function ofMapfile(args: readonly Word[]): Inside {
  if (args.every(({ text }) => !/^-\w*C/.test(text))) return nothing
  const { scripts, isOpaque } = behindFlag(args, /^-\w*C$/)
  return { ...nothing, scripts: scripts.map((text) => `${text} "$@"`), isOpaque }
}

/** What comes through the pipe is put behind the words, or for `-I` anywhere in them. */
function ofXargs(args: readonly Word[]): Inside {
  let at = 0
  let replaced: string | undefined
  for (; at < args.length && args[at]!.text.startsWith('-'); at++) {
    const { text, isOpen } = args[at]!
    if (isOpen) return opaque
    if (text === '--') {
      at++
      break
    }
    if (/^-[Ii]/.test(text)) replaced = text.length > 2 ? text.slice(2) : text === '-I' ? args[++at]?.text : '{}'
    else if (/^-[adEnPLsd]$/.test(text)) at++
    else if (!/^-([0rtpxo]+|[nPLs]\d+|d.+)$|^--(null|no-run-if-empty|verbose|max-(args|procs|lines)=\d+|delimiter=.*)$/.test(text))
      return opaque
  }
  if (args[at]?.isOpen) return opaque
  const rest = args.slice(at)
  if (rest.length === 0) return { ...nothing, calls: [[literal('echo'), unknown]] }
  const isIn = (word: Word): boolean => replaced !== undefined && replaced !== '' && word.text.includes(replaced)
  const words = rest.map((word) => (isIn(word) ? { ...word, isOpen: true } : word))
  return { ...nothing, calls: [replaced === undefined ? [...words, unknown] : words] }
}

/** `-exec … ;` and its kind. `{}` is a name of a file. */
function ofFind(args: readonly Word[]): Inside {
  const calls: (readonly Word[])[] = []
  for (let at = 0; at < args.length; at++) {
    const { text, isOpen } = args[at]!
    if (isOpen && /^[-$]/.test(text) && at > 0) return opaque
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue
    const end = args.findIndex((word, index) => index > at && (word.text === ';' || (word.text === '+' && args[index - 1]?.text === '{}')))
    const words = args.slice(at + 1, end < 0 ? args.length : end)
    calls.push(words.map((word) => (word.text.includes('{}') ? { ...word, isOpen: true } : word)))
    at = end < 0 ? args.length : end
  }
  return { ...nothing, calls }
}
