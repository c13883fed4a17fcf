import { merge, nothing, opaque, scriptsOf } from './inside-parts.ts'
import type { Inside } from './inside-parts.ts'
import { valuesOf } from './options.ts'
import { literal } from './words.ts'
import type { Word } from './words.ts'

/** Settings of git that are commands, or name files with such. Sections and the last names are written in any case. */
const runsByGit =
  /^(-c|--config=)?((alias|pager|include|includeif|credential|gpg|filter|diff|difftool|mergetool|merge|remote|url|sequence|sendemail|interactive|uploadpack|receive|submodule|trailer|web|browser|man|instaweb|help|protocol|http|ssh)\.|core\.(editor|pager|sshcommand|fsmonitor|hookspath|askpass|gitproxy|worktree|alternaterefscommand)\b)/i

/** Options whose values git gives to a shell. */
const scriptOptions: readonly (readonly [subcommands: RegExp, letter: string, ...names: readonly string[]])[] = [
  [/^rebase$/, 'x', 'exec'],
  [/^difftool$/, 'x', 'extcmd'],
  [/^clone$/, 'u', 'upload-pack'],
  [/^(fetch|fetch-pack|ls-remote|pull)$/, '\0', 'upload-pack', 'exec'],
  [/^(push|send-pack)$/, '\0', 'receive-pack', 'exec'],
  [/^archive$/, '\0', 'exec'],
  [/^grep$/, 'O', 'open-files-in-pager'],
  [/^shell$/, 'c'],
]
const filters = /^--[a-z]+-filter(?:=|$)/

/** Commands in its arguments, and settings that name some. */
export function ofGit(args: readonly Word[]): Inside {
  const texts = args.map(({ text }) => text)
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text))
  const isOpaque =
    texts.some(
      (text, index) =>
        /^--(exec-path=|config-env)/.test(text) || (runsByGit.test(text) && (/^-c|^--config=/.test(text) || isSetting(texts, index))),
    ) ||
    // What stands there runs: hooks of a template, an address that is a command.
    has(/^--template\b|^ext::/)
  const behind = (first: RegExp, second: string): readonly Word[] => {
    const at = texts.findIndex((text, index) => first.test(text) && texts[index + 1] === second)
    return at < 0 ? [] : args.slice(at + 2)
  }
  const run = behind(/^bisect$/, 'run')
  const each = behind(/^submodule(--helper)?$/, 'foreach').filter(({ text }) => !/^--(recursive|quiet)$|^-q$/.test(text))
  const filtered = has(/^filter-branch$/)
    ? args.flatMap((word, index) =>
        filters.test(word.text)
          ? word.text.includes('=')
            ? [{ ...word, text: word.text.replace(/^[^=]*=/, '') }]
            : args.slice(index + 1, index + 2)
          : [],
      )
    : []
  const given = scriptOptions.flatMap(([subcommand, letter, ...names]) => (has(subcommand) ? valuesOf(args, letter, ...names) : []))
  const onEach = texts.indexOf('for-each-repo')
  const repeated = onEach < 0 ? [] : args.slice(onEach + 1).filter(({ text }) => !/^--(config=.*)?$/.test(text))
  const inside = [
    ...(run.length > 0 ? [{ ...nothing, calls: [run] }] : []),
    ...(repeated.length > 0 ? [{ ...nothing, calls: [[literal('git'), ...repeated]] }] : []),
    ...(each.length > 0 ? [scriptsOf(each)] : []),
    ...[...filtered, ...given].map((script) => scriptsOf([script])),
  ]
  return merge([...inside, isOpaque ? opaque : nothing])
}

/** `-c name=value`, `clone --config name=value`, `git config … name`. */
const isSetting = (texts: readonly string[], index: number): boolean =>
  /^(-c|--config)$/.test(texts[index - 1] ?? '') || texts.slice(0, index).includes('config')
