import type { PartName } from '../facts/parts.ts'
import { takePartWord } from './part-word.ts'
import type { Phrase } from './phrase.ts'
import { quoteWord } from './quotes.ts'

/** What is counted. */
export type Measure =
  | { readonly type: 'lines' | 'blank_lines' | 'filled_lines' | 'words' | 'characters' }
  | { readonly type: 'occurrences' | 'lines_with'; readonly text: string }
  | { readonly type: 'part'; readonly part: PartName }

const some = `(${quoteWord}|[^\\s,;:?!]+)`
const theWord = '(?:the\\s+)?(?:(?:word|text|string|term|phrase|letter|character|name)\\s+)?'
const joiner = '(?:\\b(?:and|of|the|number|count|how many|total)\\s+)*'

/* "lines in a.txt contain X": the file stands between. */
const contains = new RegExp(`\\b(?:that\\s+|which\\s+)?(?:contains?|mentions?|includes?|have|has)\\s+${theWord}${some}\\W*$`, 'i')

const forms: readonly { readonly form: RegExp; readonly measure: (found: string) => Measure }[] = [
  {
    form: new RegExp(
      `(?:\\boccurr?ences\\s+of|\\b(?:times|often)\\b(?:\\s+(?:does|do|is|are))?|\\bappearances\\s+of|\\bmentions\\s+of)\\s+${theWord}${some}(?:\\s+(?:appears?|occurs?|comes? up|mentioned|used|found|is|are|shows? up))*`,
      'i',
    ),
    measure: (text) => ({ type: 'occurrences', text }),
  },
  {
    form: new RegExp(
      `\\blines\\s+(?:(?:that|which|of text that)\\s+)?(?:contain|contains|containing|with|have|having|mention|mentioning|include|including|match|matching)\\s+${theWord}${some}`,
      'i',
    ),
    measure: (text) => ({ type: 'lines_with', text }),
  },
  { form: /\b(?:blank|empty)\s+lines?\b/i, measure: () => ({ type: 'blank_lines' }) },
  { form: /\b(?:non-?\s?(?:blank|empty)|filled)\s+lines?\b/i, measure: () => ({ type: 'filled_lines' }) },
  { form: /\blines?(?:\s+of\s+(?:code|text))?(?:\s+(?:count|number|total))?\b(?!\s+\d)/i, measure: () => ({ type: 'lines' }) },
  { form: /\bwords?(?:\s+count)?\b/i, measure: () => ({ type: 'words' }) },
  { form: /\b(?:characters?|chars?|letters?)(?:\s+count)?\b/i, measure: () => ({ type: 'characters' }) },
]

const joinedForms = forms.map(({ form, measure }) => ({ form: new RegExp(`${joiner}(?:${form.source})`, 'i'), measure }))

/** Takes all that is to be counted: "lines and words", "times X appears". */
export function takeMeasures(phrase: Phrase): readonly Measure[] {
  const measures: Measure[] = []
  const apart = phrase.has(/\blines?\b(?!\s+(?:that|which|with|contain))/i) ? phrase.take(contains) : undefined
  if (apart) {
    phrase.take(/\b(?:the\s+|of\s+)*lines?\b/i)
    return [{ type: 'lines_with', text: textIn(apart[1]!, phrase) }]
  }
  for (const { form, measure } of joinedForms) {
    const match = phrase.take(form)
    if (match) measures.push(measure(match[1] === undefined ? '' : textIn(match[1], phrase)))
  }
  if (measures.length > 0) return measures
  const part = takePartWord(phrase)
  return part === undefined ? [] : [{ type: 'part', part }]
}

const textIn = (word: string, phrase: Phrase): string => phrase.quote(word)?.text ?? word.replace(/[.?!]+$/, '')
