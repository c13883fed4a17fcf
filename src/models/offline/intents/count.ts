import { eachFile } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import { searchText } from '../acts/search-text.ts'
import { amountsFinding, measureSaid, totalled } from '../facts/amounts.ts'
import { takeCountVerb } from '../language/count-verb.ts'
import { code, listed, plural } from '../language/english.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import { takeFolder } from '../language/folders.ts'
import type { Measure } from '../language/measures.ts'
import { takeMeasures } from '../language/measures.ts'
import { looksLikePath, takePaths } from '../language/names.ts'
import type { Phrase } from '../language/phrase.ts'
import { failed } from '../site.ts'
import { done } from '../work.ts'
import type { Intent, Task } from './intent.ts'

const size: readonly Measure[] = [{ type: 'lines' }, { type: 'words' }, { type: 'characters' }]

/** "count the lines and words of a.txt", "how many times does X appear in a.txt", "how long is a.txt". */
export const count: Intent = {
  name: 'count',
  examples: ['count the lines of README.md', 'how many times does TODO appear in notes.txt?'],
  group: 'Find and count',
  tools: ['read_file'],
  starts: 'count|how|wc|number of|the number of|(?:the )?(?:line|word|character) count',
  recognise: (phrase, talk) => {
    const isSize = phrase.take(/\bhow\s+(?:long|big|large)\b|\b(?:size|length)\s+of\b/i) !== undefined
    if (!isSize && !takeCountVerb(phrase)) return undefined
    const measures = isSize ? size : takeMeasures(phrase)
    if (measures.length === 0) return undefined
    const given = takeGiven(phrase)
    if (given !== undefined)
      return { aim: 'count in the text', isExact: true, work: () => done(amountsFinding(asFile(given), measures, 'The text')) }
    const files = takeFiles(phrase, talk, { anyQuote: true }) ?? (phrase.has(/\bin\s/i) ? undefined : talk.files)
    if (!files) return countLinesBelow(phrase, measures)
    phrase.take(/\b(?:are\s+there|is\s+there|has|have|contains?|appears?|occurs?|used|mentioned|total)\b/i)
    const whole = measures.every(({ type }) => type === 'lines') ? 'unless_counted' : true
    return {
      aim: `count ${listed(measures.map(measureSaid))} in ${filesSaid(files)}`,
      isExact: true,
      files,
      usesPrevious: files.type === 'found',
      work: (site) =>
        eachFile(site, files, {
          range: { whole },
          make: (file) => amountsFinding(file, measures, code(file.path)),
          join: (findings) => totalled(findings, measures),
        }),
    }
  },
}

/** A text that stands in the request itself. */
function takeGiven(phrase: Phrase): string | undefined {
  const at = phrase.quotes.findIndex(
    ({ kind, text }) => kind === 'given' || kind === 'fence' || (kind === 'quote' && /\s/.test(text) && !looksLikePath(text)),
  )
  if (at < 0 || !phrase.take(new RegExp(`\\uE000${at}\\uE001`))) return undefined
  phrase.take(/\b(?:the\s+|this\s+)?(?:following(?:\s+text)?|text(?:\s+below)?|this|below)\b/i)
  return phrase.quotes[at]!.text
}

function asFile(text: string): FileText {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  return {
    path: 'text',
    from: 1,
    lines,
    complete: true,
    exact: true,
    lineEnd: '\n',
    endsWithNewline: text.endsWith('\n'),
    total: lines.length,
  }
}

/** "how many TODOs are in src": lines, by a search. */
function countLinesBelow(phrase: Phrase, measures: readonly Measure[]): Task | undefined {
  const [measure, ...more] = measures
  const text =
    measure?.type === 'part' && measure.part === 'todo'
      ? 'TODO'
      : measure?.type === 'occurrences' || measure?.type === 'lines_with'
        ? measure.text
        : ''
  const folder = text === '' || more.length > 0 ? undefined : (takeFolder(phrase) ?? takePaths(phrase)[0])
  if (folder === undefined) return undefined
  phrase.take(/\b(?:are|is)(?:\s+there)?\b/i)
  return {
    aim: `count the lines with ${code(text)} in ${code(folder)}`,
    isExact: true,
    folder,
    work: function* (site) {
      const found = yield* searchText(site, text, folder, { ignoreCase: false, globs: [] })
      if (!found.ok) return failed(found.said)
      const { hits, complete } = found.value
      return {
        say: `${complete ? '' : 'At least '}${plural(hits.length, 'line')} in ${folder === '.' ? 'this folder' : code(folder)} ${hits.length === 1 ? 'has' : 'have'} ${code(text)}.`,
        value: String(hits.length),
      }
    },
  }
}
