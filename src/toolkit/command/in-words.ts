import type { CommandForm } from '../../tools/access.ts'
import type { Call } from './calls.ts'
import { wrapperNames } from './inside.ts'
import { nameOf, unknown } from './words.ts'
import type { Word } from './words.ts'

/** Programs that run commands which stand in their arguments, in whatever language that is. */
export const takers: ReadonlySet<string> = new Set(
  (
    'awk gawk mawk nawk sed gsed perl python python2 python3 ruby node deno bun php lua luajit tclsh expect osascript pwsh m4 gdb lldb vi vim nvim view ex ed ' +
    'emacs emacsclient nano tar gtar bsdtar zip rsync ssh scp sftp mosh tmux screen socat nc ncat netcat sqlite3 psql mysql mariadb lftp ftp split sort man less more ' +
    'make gmake ninja parallel concurrently fish nu xonsh npm-run-all run-p run-s entr watchexec nodemon pm2 forever xterm gnome-terminal konsole kitty ' +
    'alacritty wezterm ansible vagrant find fd cargo docker podman kubectl just task rake nix crontab'
  ).split(' '),
)

/** Behind these many programs take a command: `npm exec`, `docker run image`, `poetry run`, `nix develop -c`. */
const launching = /^(exec|run|x|dlx|spawn|-x|--exec|--command|--cmd|-c|-s|-e|--)$/

/** More commands, words of one and characters than these are not looked at; then it is not known what they are. */
const maxForms = 2000
const maxWords = 20
const maxBehind = 200
const maxChars = 50_000
const notKnown: CommandForm = { text: '', isOpen: true, isGuess: true }

/** The ends of the words behind one of these: one of them may be a command. */
export function callsBehindWords(words: readonly Word[]): readonly (readonly Word[])[] {
  const at = loose.test(nameOf(words[0])) ? 0 : words.findIndex(({ text }, index) => index > 0 && launching.test(text))
  const behind = at < 0 ? [] : words.slice(at + 1)
  const ends = behind.slice(0, maxBehind).flatMap((word, index) => (word.isOpen ? [] : [behind.slice(index, index + maxWords)]))
  return behind.length > maxBehind ? [...ends, [unknown]] : ends
}

/** Their words may be a command from anywhere on. */
const loose = /^(tmux|screen|gdb|lldb|[a-z-]*term(inal)?|cmd(\.exe)?|systemd-cat|uvx)$/

/** Commands that may stand in what a program is given, as `system("git push")`: a rule that speaks of one asks. */
export function formsInWords({ words, command }: Pick<Call, 'words' | 'command'>): readonly CommandForm[] {
  const [first, ...args] = words
  if (!takers.has(nameOf(first)) && !wrapperNames.has(nameOf(first))) return []
  const texts = [...args, ...command.heredocs].map(({ text }) => text.replace(/^-[a-zA-Z]/, '')).filter((text) => /\S\s+\S/.test(text))
  if (texts.some((text) => text.length > maxChars)) return [notKnown]
  const forms: CommandForm[] = []
  for (const text of texts)
    for (const piece of [...text.split(separators), ...text.split(separatorsOfPaths)]) {
      const parts = piece.trim().split(/\s+/)
      for (let at = 0; at < parts.length - 1; at++) {
        if (forms.length >= maxForms) return [...forms, notKnown]
        forms.push({ text: parts.slice(at, at + maxWords).join(' '), isOpen: false, isGuess: true })
      }
    }
  return forms
}

const separators = /[\n;|&(){}[\]<>"'`!$=,:]+/
const separatorsOfPaths = /[\n;|&(){}[\]<>"'`!$=,:/]+/
