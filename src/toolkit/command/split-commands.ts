import { asScript, indexOrEnd, readBracketed, readWord } from './words.ts'
import type { Cursor, Word } from './words.ts'

export type SimpleCommand = {
  readonly words: readonly Word[]
  /** Files that it writes its output to. */
  readonly writesTo: readonly Word[]
  /** Texts that it is given as standard input. */
  readonly heredocs: readonly string[]
  /** What joins it to the one before it: `''` for the first. */
  readonly after: string
}

export type SplitScript = {
  readonly commands: readonly SimpleCommand[]
  /** The scripts of its substitutions, not split yet. */
  readonly inner: readonly string[]
  /** No quote, bracket or here-document is left open. */
  readonly isComplete: boolean
}

type Draft = { readonly words: Word[]; readonly writesTo: Word[]; readonly heredocs: string[]; readonly after: string; isEmpty: boolean }

/** A here-document whose text stands behind the next line break. */
type Heredoc = { readonly end: string; readonly isQuoted: boolean; readonly stripTabs: boolean; readonly to: Draft }

const draftAfter = (operator: string): Draft => ({ words: [], writesTo: [], heredocs: [], after: operator, isEmpty: true })

const redirection = /^(&>>|&>|<<<|<<-|<<|<\(|>\(|<>|<&|>&|>>|>\||>|<)/
const operator = /^(&&|\|\||\|&|;;&|;;|;&|;|&|\||\(|\))/

/**
 * Takes a shell script apart into its simple commands, as far as that needs no grammar: quotes, operators, redirections,
 * here-documents, substitutions. Keywords stand as words. A first form, to be replaced by a parser; it rather finds a command
 * that is none than overlook one.
 */
export function splitCommands(script: string): SplitScript {
  const cursor: Cursor = { script, at: 0, inner: [], isComplete: true }
  const commands: SimpleCommand[] = []
  const pending: Heredoc[] = []
  let draft = draftAfter('')
  const finish = (joint: string): void => {
    if (!draft.isEmpty) commands.push(draft)
    draft = draftAfter(joint)
  }

  while (cursor.at < script.length) {
    const ahead = script.slice(cursor.at, cursor.at + 3)
    if (ahead[0] === '\n') {
      cursor.at++
      finish(';')
      for (const heredoc of pending.splice(0)) readHeredoc(cursor, heredoc)
      continue
    }
    if (/^(\s|\\\n)/.test(ahead)) {
      cursor.at += ahead[0] === '\\' ? 2 : 1
      continue
    }
    if (ahead[0] === '#') {
      cursor.at = indexOrEnd(script, '\n', cursor.at)
      continue
    }
    const arrow = redirection.exec(ahead)?.[0]
    if (arrow !== undefined) {
      readRedirection(cursor, arrow, draft, pending)
      draft.isEmpty = false
      continue
    }
    const joint = operator.exec(ahead)?.[0]
    if (joint !== undefined) {
      cursor.at += joint.length
      finish(joint === '|&' ? '|' : joint)
      continue
    }
    const word = readWord(cursor)
    // The number of a redirected stream is no word.
    const isStream = /^(\d+|\{\w+\})$/.test(word.text) && /[<>]/.test(script[cursor.at] ?? '')
    if (!isStream) draft.words.push(word)
    draft.isEmpty = false
  }
  finish('')
  return { commands, inner: cursor.inner, isComplete: cursor.isComplete && pending.length === 0 }
}

function readRedirection(cursor: Cursor, arrow: string, draft: Draft, pending: Heredoc[]): void {
  cursor.at += arrow.length
  if (arrow === '<(' || arrow === '>(') {
    cursor.inner.push(readBracketed(cursor, '(', ')'))
    return
  }
  while (cursor.script[cursor.at] === ' ' || cursor.script[cursor.at] === '\t') cursor.at++
  const target = readWord(cursor)
  if (arrow === '<<' || arrow === '<<-')
    pending.push({ end: target.text, isQuoted: target.isQuoted, stripTabs: arrow === '<<-', to: draft })
  else if (arrow === '<<<') draft.heredocs.push(target.text)
  else if (arrow.includes('>') && !isStreamNumber(arrow, target)) draft.writesTo.push(target)
}

const isStreamNumber = (arrow: string, target: Word): boolean => arrow.endsWith('&') && /^(\d+-?|-)$/.test(target.text)

function readHeredoc(cursor: Cursor, { end, isQuoted, stripTabs, to }: Heredoc): void {
  const { script } = cursor
  const body: string[] = []
  for (;;) {
    if (cursor.at >= script.length) {
      cursor.isComplete = false
      break
    }
    const stop = indexOrEnd(script, '\n', cursor.at)
    const raw = script.slice(cursor.at, stop)
    cursor.at = stop + 1
    const line = stripTabs ? raw.replace(/^\t+/, '') : raw
    if (line === end) break
    body.push(line)
  }
  const text = body.join('\n')
  to.heredocs.push(text)
  if (!isQuoted) cursor.inner.push(...asScript(text))
}
