import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import type { FileText, ReadRange } from '../acts/read-file.ts'
import { code, fenced, plural } from '../language/english.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import type { Files } from '../language/names.ts'
import { baseName, extensionOf, takePaths } from '../language/names.ts'
import type { LinePart } from '../language/line-part.ts'
import { linePartSaid, takeLinePart } from '../language/line-part.ts'
import type { Finding } from '../site.ts'
import type { Intent } from './intent.ts'

/** How much of a file is shown. */
const maxLines = 80
const maxChars = 8000

export const read: Intent = {
  name: 'read',
  examples: ['read package.json', 'show the first 5 lines of README.md'],
  group: 'Look at files',
  tools: ['read_file'],
  starts: 'read|show|open|print|cat|display|view|type out|output|look at|look into|load|fetch|get|give|head|tail|first|last|lines?',
  recognise: (phrase, talk) => {
    const verb = phrase.take(
      /^\W*(?:(read|open|look at|look into|look in|load|fetch|get|see)(?:\s+(?:me|through|out|aloud))?|(show|print|cat|display|view|type out|output|give|head|tail|tell me (?=.*\blines?\b)|say (?=.*\blines?\b))(?:\s+(?:me|us|out))?)(?=\s|$)/i,
    )
    const asks = phrase.take(/\bwhat(?:'s|’s| is| are| does| do)\b|\bwhat\b(?=.*\b(?:says|contains|holds)\b)/i)
    const part = takeLinePart(phrase, verb?.[2]?.toLowerCase())
    const contents = phrase.take(/\b(?:the\s+)?(?:whole\s+|full\s+|entire\s+)?(?:contents?|text|inside|source|source code)\s+of\b/i)
    const isPathAlone = /^\S+$/.test(phrase.whole) && takePaths(phrase.copy()).length === 1
    if (!verb && !part && !asks && !contents && !isPathAlone) return undefined
    const plainVerb = verb !== undefined && /^(?:read|open|show|print|cat|display|view|load)$/i.test(verb[1] ?? verb[2]!)
    const files = takeFiles(phrase, talk, { anyQuote: verb !== undefined, bareWord: plainVerb && !part })
    if (!files || isRatherListed(files)) return undefined
    phrase.take(/\b(?:says?|contains?|holds?|written|stands)\b/i)
    // "what is in a.txt" is about its text, "what is a.txt" is about what kind of thing it is.
    if (asks && !verb && !part && !contents && !/\b(?:in|inside|say|says|contain|contains)\b/i.test(phrase.whole)) return undefined
    return {
      aim: `${part ? `read ${linePartSaid(part)} of` : 'read'} ${filesSaid(files)}`,
      files,
      // "show" wants to see it in any case.
      fetches: !part && verb?.[1] !== undefined,
      usesPrevious: files.type === 'found',
      work: (site) =>
        eachFile(site, files, { range: rangeOf(part, site.quiet), make: (file) => shown(file, part, site.quiet), listsFolders: true }),
    }

    /** "show all ts files", "what is in src/models": the names are wanted, not what is in them. */
    function isRatherListed(set: Files): boolean {
      if (set.type === 'matching') return verb?.[2] !== undefined && !/^(?:print|cat)$/i.test(verb[2]) && !contents && !part
      if (set.type !== 'named' || part) return false
      return (
        set.paths.every((path) => path.endsWith('/')) ||
        ((asks ?? contents) !== undefined && set.paths.every((path) => extensionOf(path) === '' && !baseName(path).startsWith('.')))
      )
    }
  },
}

const rangeOf = (part: LinePart | undefined, whole: boolean): ReadRange => {
  if (part === undefined) return { whole }
  if (part.type === 'lines') return { from: part.from, count: part.to - part.from + 1 }
  return part.type === 'last' ? { whole: true } : { count: part.count }
}

function shown(file: FileText, part: LinePart | undefined, quiet: boolean): Finding {
  if (part) return shownPart(file, part)
  const value = contentOf(file)
  const partial = !file.complete || !file.exact
  if (quiet) return { say: '', value, partial }
  const name = code(file.path)
  if (file.lines.length === 0) return { say: file.complete ? `${name} is empty.` : `Nothing of ${name} could be read.`, value, partial }
  const size = `${plural(file.total ?? file.lines.length, 'line')}${file.total === undefined ? ' or more' : ''}`
  const visible = upTo(file.lines)
  const rest = visible.length < file.lines.length || !file.complete ? `\n\nThese are the first ${plural(visible.length, 'line')}.` : ''
  const note = file.complete && !file.exact ? `\n\n${partNote(file)}` : ''
  return { say: `${name} (${size}):\n\n${fenced(visible.join('\n'), extensionOf(file.path))}${rest}${note}`, value, partial }
}

function shownPart(file: FileText, part: LinePart): Finding {
  const lines = linesOf(file, part)
  const name = code(file.path)
  const said = linePartSaid(part)
  const has = file.total === undefined ? '' : ` It has ${plural(file.total, 'line')}.`
  if (lines.length === 0)
    return {
      say: `${name} has no such ${part.type === 'lines' && part.from === part.to ? 'line' : 'lines'} (${said}).${has}`,
      failed: true,
    }
  const wanted = part.type === 'lines' ? part.to - part.from + 1 : part.count
  const fewer = lines.length < wanted ? has : ''
  const unread = part.type === 'last' && !file.complete ? ` ${partNote(file)}` : ''
  const value = lines.join('\n')
  const body =
    lines.length === 1
      ? `${said} of ${name}: ${lines[0] === '' ? '(an empty line)' : code(lines[0]!)}`
      : `${said} of ${name}:\n\n${fenced(value, extensionOf(file.path))}`
  const notes = `${fewer}${unread}`.trim()
  return {
    say: `${body.charAt(0).toUpperCase()}${body.slice(1)}${notes === '' ? '' : `\n\n${notes}`}`,
    value,
    partial: !file.exact || unread !== '',
  }
}

function linesOf(file: FileText, part: LinePart): readonly string[] {
  const at = (line: number): number => line - file.from
  if (part.type === 'lines') return file.lines.slice(Math.max(0, at(part.from)), Math.max(0, at(part.to) + 1))
  return part.type === 'first' ? file.lines.slice(0, part.count) : file.lines.slice(-part.count)
}

function upTo(lines: readonly string[]): readonly string[] {
  let chars = 0
  const visible: string[] = []
  for (const line of lines.slice(0, maxLines)) {
    if (visible.length > 0 && (chars += line.length) > maxChars) break
    visible.push(line)
  }
  return visible
}
