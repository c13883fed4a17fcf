import type { Hit } from '../acts/search-text.ts'
import { searchText } from '../acts/search-text.ts'
import { code, listed, plural, shortened } from '../language/english.ts'
import { takeFolders } from '../language/folders.ts'
import { looksLikePath, takePaths } from '../language/names.ts'
import { takePattern } from '../language/patterns.ts'
import type { Phrase } from '../language/phrase.ts'
import { gap } from '../language/quotes.ts'
import type { Finding } from '../site.ts'
import { failed } from '../site.ts'
import { all } from '../work.ts'
import type { Intent, Talk } from './intent.ts'

const maxShown = 30
const caseWords = /\b(?:,\s*)?(?:case[- ]insensitive(?:ly)?|ignoring (?:the )?case|ignore case|in any case|whatever the case)\b/i
const textWord =
  '(?:(?:the|a|any)\\s+)?(?:(?:word|text|string|term|phrase|name|line|lines|mentions? of|uses? of|usages? of|occurr?ences? of|references? to|calls? to)\\s+)?'

/* Each takes the verb, and says where the text that is searched stands: behind it, or at the end after a place. */
const verbs: readonly RegExp[] = [
  new RegExp(`^\\W*(?:search|grep|look|scan|hunt)\\s+(?:for\\s+)${textWord}`, 'i'),
  new RegExp(`^\\W*grep\\s+${textWord}`, 'i'),
  new RegExp(
    `^\\W*(?:find|search|locate|show|list)\\s+(?:me\\s+)?(?:all\\s+|every\\s+)?(?:the\\s+)?(?:lines?|places|mentions|uses|usages|occurr?ences|references|calls)\\s+(?:(?:that|which|where)\\s+)?(?:contain(?:ing|s)?|with|mention(?:ing|s)?|of|to|matching|have|has|use|uses|using)\\s+${textWord}`,
    'i',
  ),
  new RegExp(
    `^\\W*(?:find|list|show|which|what|in\\s+which|search)\\s+(?:me\\s+)?(?:all\\s+|every\\s+|the\\s+|of\\s+)*files?\\s+(?:(?:that|which|where)\\s+)?(?:contain(?:ing|s)?|mention(?:ing|s)?|with|use|uses|using|import|imports|importing|have|has|matching)\\s+${textWord}`,
    'i',
  ),
  new RegExp(
    `^\\W*(?:(?:find|show|see|look)\\s+(?:me\\s+)?)?where\\s+(?=\\S+\\s+(?:is|are)\\b|(?:is|are|do|does)\\b)(?:is|are|do(?:es)?(?:\\s+(?:we|i|it|the code))?)\\s+(?:(?:use|call|mention|import|define)s?\\s+)?${textWord}(?=.*\\b(?:defined|used|mentioned|called|declared|imported|appear|occur|written|set)\\b|.*\\uE000)`,
    'i',
  ),
  new RegExp(
    `^\\W*(?:(?:say|tell me|see|check)\\s+)?(?:does|do|is|are|whether|if)\\s+(?:there\\s+)?(?:any\\s+|a\\s+)?(?=.*\\b(?:contain|contains|mention|mentions|mentioned|in|appear|occur|use|uses)\\b)`,
    'i',
  ),
  /^\W*(?:find|show|list|search|get)\s+(?:me\s+)?(?:(?:all|the|any)\s+)*(?=(?:TODO|FIXME)s?\b)/i,
  /^\W*search\s+(?=\S+\W*$)/i,
  // One word that looks like a name in a program.
  /^\W*find\s+(?=[\w$-]*[A-Z_\d][\w$-]*\W*$)/,
  new RegExp(`^\\W*(?:find|search)\\s+${textWord}(?=.*\\b(?:in|inside|within|across|under|through)\\b|.*\\uE000)`, 'i'),
]
const searchPlaceFirst = new RegExp(`^\\W*(?:search|scan|look|grep)\\s+(?:in\\s+|through\\s+|inside\\s+)?(?=.*\\bfor\\b)`, 'i')

export const search: Intent = {
  name: 'search',
  examples: ['search for "TODO" in src', 'which files contain createServer?'],
  group: 'Find and count',
  tools: ['grep', 'shell'],
  starts: 'search|grep|find|look for|which files|where|does|is there|scan|locate',
  recognise: (phrase, talk) => {
    if (phrase.has(/\bin (?:the|their|its) (?:file ?)?names?\b/i)) return undefined
    const ignoreCase = phrase.take(caseWords) !== undefined
    const understood = placeFirst(phrase) ?? textFirst(phrase, talk)
    if (!understood) return undefined
    const { text, places, globs } = understood
    const where = places.length === 0 ? ['.'] : places
    const aim = `search for ${code(text)} in ${listed(where.map((place) => (place === '.' ? 'this folder' : code(place))))}`
    return {
      aim,
      work: function* (site) {
        const found = yield* all(where.map((place) => searchText(site, text, place, { ignoreCase, globs })))
        const refused = found.find((one) => !one.ok)
        if (refused && !refused.ok) return failed(refused.said)
        const hits = found.flatMap((one) => (one.ok ? one.value.hits : []))
        return searchFinding(
          text,
          where,
          hits,
          found.every((one) => one.ok && one.value.complete),
        )
      },
    }
  },
}

type Search = { readonly text: string; readonly places: readonly string[]; readonly globs: readonly string[] }

/** "search src for TODO". */
function placeFirst(phrase: Phrase): Search | undefined {
  const trial = phrase.copy()
  if (!trial.take(searchPlaceFirst)) return undefined
  const split = /^([^]*?)\bfor\s+(?:the\s+)?(?:(?:word|text|string|term|phrase)\s+)?([^]+)$/i.exec(trial.text.replaceAll(gap, ' ').trim())
  if (!split || split[1]!.trim() === '') return undefined
  const places = trial
    .plain(split[1]!.trim())
    .replace(/^(?:the|my)\s+/i, '')
    .replace(/\s+(?:folder|directory|dir)$/i, '')
  if (/\s/.test(places) && !/^(?:this|the|all|whole)\b/i.test(places)) return undefined
  phrase.takeAll()
  const here = /^(?:this|the|all|everything|everywhere|files?|it)\b/i.test(places)
  return { text: textOf(trial, split[2]!), places: here ? ['.'] : [places], globs: [] }
}

function textFirst(phrase: Phrase, talk: Talk): Search | undefined {
  // As it is typed in a shell: "grep TODO src".
  const typed = /^\W*grep\s+(\uE000\d+\uE001|[^\s-]\S*)\s+((?!in\b|for\b|and\b)[\w@./-]+)\W*$/.exec(phrase.text)
  if (typed) {
    phrase.takeAll()
    return { text: phrase.plain(typed[1]!), places: [typed[2]!], globs: [] }
  }
  if (phrase.has(/^\W*(?:grep|find)\s+-/)) return undefined
  const verb = verbs.find((form) => phrase.take(form) !== undefined)
  if (!verb) return undefined
  const globs: string[] = []
  const pattern = takePattern(phrase)
  if (pattern) globs.push(...pattern.pattern.globs)
  const places = [...takeFolders(phrase)]
  if (places.length === 0) {
    // "does a.txt contain x": the file may stand without "in", but not where it is all that could be searched for.
    const trial = phrase.copy()
    const paths = takePaths(trial)
    if (paths.length > 0 && significant(trial) !== '') places.push(...takePaths(phrase))
    else if (talk.files?.type === 'named' && phrase.take(/\b(?:in\s+)?(?:it|that file|this file|them)\b/i)) places.push(...talk.files.paths)
  }
  phrase.take(/\b(?:anywhere|everywhere)\b/i)
  phrase.take(
    /\b(?:is|are|be|been)?\s*(?:defined|used|mentioned|called|declared|imported|written|contains?|mentions?|appears?|occurs?|uses?)\b(?=\W*$)/i,
  )
  phrase.take(/^\W*(?:contains?|mentions?|uses?)\s+(?:the\s+)?(?:(?:word|text|string)\s+)?/i)
  const text = significant(phrase)
  if (text === '' || (pattern && looksLikePath(text))) return undefined
  phrase.takeAll()
  return { text, places: pattern?.folder === undefined ? places : [pattern.folder, ...places], globs }
}

/** What is searched for: a quote if there is one, else all words that are left. */
function significant(phrase: Phrase): string {
  return textOf(phrase, phrase.text.replaceAll(gap, ' '))
}

function textOf(phrase: Phrase, words: string): string {
  const quoted = /\uE000\d+\uE001/.exec(words)?.[0]
  if (quoted !== undefined) return phrase.plain(quoted)
  return words
    .trim()
    .replace(/^(?:(?:does|do|is|are|the|a|an|any|all|there|contains?|mentions?)\s+)+(?=\S)/i, '')
    .replace(/\s+(?:contain|contains|mention|in|the)$/i, '')
    .replace(/^((?:TODO|FIXME)s?)\s+comments?$/i, '$1')
    .replace(/[?!.,:;\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(/^([A-Z]{2,})s$/, '$1')
}

function searchFinding(text: string, places: readonly string[], hits: readonly Hit[], complete: boolean): Finding {
  const where = listed(places.map((place) => (place === '.' ? 'this folder' : code(place))))
  if (hits.length === 0)
    return {
      say: complete
        ? `No line in ${where} contains ${code(text)}.`
        : `I saw no line with ${code(text)} in ${where}, but I did not see everything.`,
      value: '',
      files: [],
    }
  const files = [...new Set(hits.map(({ path }) => path))]
  const lines = hits.slice(0, maxShown).map(({ path, line, text: found }) => `- ${path}:${line}: ${code(shortened(found, 160))}`)
  if (hits.length > maxShown) lines.push(`- and ${hits.length - maxShown} more`)
  const head = `${complete ? '' : 'At least '}${plural(hits.length, 'line')} in ${plural(files.length, 'file')} ${hits.length === 1 ? 'contains' : 'contain'} ${code(text)} (in ${where})`
  return {
    say: `${head}:\n\n${lines.join('\n')}`,
    value: hits.map(({ path, line, text: found }) => `${path}:${line}: ${found}`).join('\n'),
    partial: !complete,
    files,
    amount: { number: hits.length, said: plural(hits.length, 'line') },
  }
}
