/** A word of a command, quotes taken off. */
export type Word = {
  readonly text: string
  /** It holds a variable, a substitution or braces, so `text` is not what the command gets. */
  readonly isOpen: boolean
  /** It holds an unquoted `*`, `?` or `[`. */
  readonly isPattern: boolean
  readonly isQuoted: boolean
}

/** A place in a script, and what was found on the way there. */
export type Cursor = {
  readonly script: string
  at: number
  /** The scripts of substitutions. */
  readonly inner: string[]
  /** No quote, bracket or here-document was left open so far. */
  isComplete: boolean
}

/** Reads the word at the cursor; empty where there is none. */
export function readWord(cursor: Cursor): Word {
  const { script } = cursor
  const word = { text: '', isOpen: false, isPattern: false, isQuoted: false }
  while (cursor.at < script.length) {
    const char = script[cursor.at]!
    if (/[\s;&|()<>]/.test(char)) break
    if (char === "'" || (char === '$' && script[cursor.at + 1] === "'")) {
      word.isQuoted = true
      // What the escapes of $'…' stand for is not worked out.
      word.isOpen ||= char === '$'
      cursor.at += char === '$' ? 2 : 1
      word.text += readUpTo(cursor, "'")
    } else if (char === '"') {
      readDouble(cursor, word)
    } else if (char === '\\') {
      word.isQuoted = true
      if (script[cursor.at + 1] !== '\n') word.text += script[cursor.at + 1] ?? ''
      cursor.at += 2
    } else if (char === '$' || char === '`') {
      word.isOpen = true
      word.text += readExpansion(cursor)
    } else {
      word.isPattern ||= char === '*' || char === '?' || char === '['
      word.isOpen ||= char === '{' && mayExpand(script, cursor.at)
      word.text += char
      cursor.at++
    }
  }
  return word
}

/** Does the brace begin a list or a range? Whether it is closed is not looked at. */
const mayExpand = (script: string, at: number): boolean => /^\{[^\s{},]{0,1000}(,|\.\.)/.test(script.slice(at, at + 1002))

function readDouble(cursor: Cursor, word: { text: string; isOpen: boolean; isQuoted: boolean }): void {
  const { script } = cursor
  word.isQuoted = true
  cursor.at++
  while (cursor.at < script.length && script[cursor.at] !== '"') {
    const char = script[cursor.at]!
    const next = script[cursor.at + 1] ?? ''
    if (char === '\\') {
      word.text += next === '\n' ? '' : '$`"\\'.includes(next) ? next : char + next
      cursor.at += 2
    } else if (char === '$' || char === '`') {
      word.isOpen ||= char === '`' || /[\w({@*#?$!-]/.test(next)
      word.text += readExpansion(cursor)
    } else {
      word.text += char
      cursor.at++
    }
  }
  if (cursor.at >= script.length) cursor.isComplete = false
  cursor.at++
}

/** A `$…` or a backtick. Of a variable only the `$` is read: the name is text like any other. */
function readExpansion(cursor: Cursor): string {
  const { script, at: from, inner } = cursor
  const opening = script.slice(from, from + 2)
  cursor.at += opening === '$(' || opening === '${' ? 2 : 1
  if (opening[0] === '`') inner.push(readUpTo(cursor, '`'))
  else if (opening === '${') inner.push(...asScript(readBracketed(cursor, '{', '}')))
  else if (opening === '$(') {
    const script = readBracketed(cursor, '(', ')')
    const isArithmetic = script.startsWith('(') && script.endsWith(')')
    inner.push(...(isArithmetic ? asScript(script) : [script]))
  }
  return script.slice(from, cursor.at)
}

/** A text that is no script itself, as one that has the same substitutions; none if it has none. */
export const asScript = (text: string): readonly string[] => (/`|\$\(/.test(text) ? [`: "${text.replaceAll('"', '')}"`] : [])

/** The text up to the bracket that closes the one before the cursor, which stands behind it then. */
export function readBracketed(cursor: Cursor, open: string, close: string): string {
  const { script, at: from } = cursor
  for (let depth = 1; cursor.at < script.length; cursor.at++) {
    const char = script[cursor.at]!
    if (char === '\\') cursor.at++
    else if (char === "'") cursor.at = indexOrEnd(script, "'", cursor.at + 1)
    else if (char === '"') cursor.at = endOfDouble(script, cursor.at + 1)
    else if (char === open) depth++
    else if (char === close && --depth === 0) return script.slice(from, cursor.at++)
  }
  cursor.isComplete = false
  cursor.at = script.length
  return script.slice(from)
}

function endOfDouble(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function readUpTo(cursor: Cursor, mark: string): string {
  const { script, at: from } = cursor
  const end = indexOrEnd(script, mark, from)
  if (end === script.length) cursor.isComplete = false
  cursor.at = end + 1
  return script.slice(from, end)
}

export function indexOrEnd(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from)
  return index < 0 ? text.length : index
}
