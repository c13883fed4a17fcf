import type { Word as WordNode, WordPart } from 'unbash'
import { nameOf } from './words.ts'
import type { Word } from './words.ts'

/** A variable as a script sets it; `text` is absent where that is not known before it runs. */
export type Value = { readonly name: string; readonly text: string | undefined }

/** What bash sets itself, and always to a number. */
const numbers = new Set(['RANDOM', 'SECONDS', 'EPOCHSECONDS', 'LINENO', 'COLUMNS', 'LINES', 'UID', 'EUID', 'PPID', 'SHLVL', 'BASHPID'])

/** A format of `printf` with `%n`, which puts a number into the variable that an argument names, even into `PATH`. */
export const setsByFormat = ({ text }: Word): boolean => /%[^a-zA-Z%]*[hjlLtz]*n/.test(text.replaceAll('%%', ''))

/** Sets it variables to what it reads, or makes of other texts? */
function isSetter([first, ...args]: readonly Word[]): boolean {
  const name = nameOf(first)
  return (
    /^(read|mapfile|readarray|getopts)$/.test(name) ||
    (name === 'printf' && (args[0]?.isOpen === true || args.some((word) => word.text.startsWith('-v') || setsByFormat(word))))
  )
}

/**
 * May a script run what stands in a value? Bash works out numbers, subscripts and places in a text by the values of the variables in
 * them, these in turn as expressions, and a subscript in a value may hold a command: `x='a[$(touch y)]'; echo $((x))` runs it.
 *
 * @param worked what is worked out, as it was written.
 */
export function mayRunValues(worked: readonly string[], values: readonly Value[], calls: readonly (readonly Word[])[]): boolean {
  const texts = new Map<string, (string | undefined)[]>()
  for (const { name, text } of values) {
    const known = texts.get(name)
    if (known) known.push(text)
    else texts.set(name, [text])
  }
  const readsAny = calls.some((words) => isSetter(words))
  const seen = new Set<string>()
  const left = [...worked]
  for (let text = left.pop(); text !== undefined; text = left.pop()) {
    // A command's output, an argument of the script, or what is not written plainly.
    if (/\$\((?!\()|`|\$['"\d@*\-_]|\$\{[\d@*\-_}]|\\/.test(text)) return true
    for (const name of text.match(/(?<![\w#])[A-Za-z_]\w*/g) ?? []) {
      if (seen.has(name) || numbers.has(name)) continue
      seen.add(name)
      // Others in capitals, and `_`, bash may have set to anything.
      if (!/^[a-z_]/.test(name) || name === '_' || readsAny) return true
      for (const value of texts.get(name) ?? []) {
        if (value === undefined || /[[\]$`\\]/.test(value)) return true
        left.push(value)
      }
    }
  }
  return false
}

/** The text that a variable gets, numbers that bash works out as `0`; `undefined` where it is not known. */
export function knownText({ parts, value }: WordNode): string | undefined {
  const texts = parts?.map(textOfPart) ?? [value]
  return texts.includes(undefined) ? undefined : texts.join('')
}

function textOfPart(part: WordPart): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted': {
      const texts = part.parts.map(textOfPart)
      return texts.includes(undefined) ? undefined : texts.join('')
    }
    case 'ArithmeticExpansion':
      return '0'
    case 'SimpleExpansion':
      return /^\$[#?$!]$/.test(part.text) ? '0' : undefined
    case 'ParameterExpansion':
      return part.prefix === '#' && part.operation === undefined ? '0' : undefined
    default:
      return undefined
  }
}

/** Builtins that work out subscripts and numbers in their arguments, and run what stands there. */
export const arithmetic = new Set<string>([
  'let',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'read',
  'printf',
  'unset',
  'test',
  '[',
  'mapfile',
  'readarray',
  'getopts',
  'wait',
])

/** Those that make a variable a number, so that whatever it gets is worked out. */
export const declares = new Set<string>(['let', 'declare', 'typeset', 'local'])

/** Would it run something if it were worked out as a number? */
export const isCode = (text: string): boolean => /\[.*(\$\(|`)/s.test(text)
