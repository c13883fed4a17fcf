import type { Talk, Task } from '../intents/intent.ts'
import type { Phrase } from './phrase.ts'

/** What is to be written: a text, what the step before found, or what comes of a request within the request. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'previous' }
  | { readonly type: 'task'; readonly task: Task }

const previous =
  /^(?:(?:the|this|that|your|its|these|those)\s+(?:(?:last|previous|whole|full)\s+)?(?:answer|results?|output|number|count|total|summary|list|reply|response|names|paths|value|findings|text|contents?)|it|that|this|them|these|those|everything)$/i
const introduction =
  /^(?:(?:the|a|an|this)\s+)?(?:(?:exact|following|single)\s+)?(?:text|words?|sentence|line|string|contents?|phrase|message|letters?|number)\s*(?::\s*|\s(?:saying\s+|that\s+(?:says|reads)\s+|reading\s+)?)(?!of\b)(?=\S)/i
const link = /^(?:with|containing|saying|that says|which says|:)\s*/i

/* Said of the file that was talked about. */
const whole = /^(?:(?:a|an|the|its)\s+)?(?:short\s+|brief\s+)?(?:summary|overview|outline|description|contents?)$/i

/* Words for things that somebody would have to think up. */
const thoughtUp =
  /^(?:a|an|the|some|my|me|your|another|two|three|several)\s|\b(?:about|poem|story|essay|haiku|joke|song|email|report|article|documentation|docs|docstring|tests?|code|functions?|class|component|script|program|readme|plan|implementation|translation|explanation|better|improved|how to)\b/i
const maxPlainWords = 12

/**
 * Reads what is to be written. Quoted text is taken as it stands; `undefined` for words that describe a text instead of being
 * one: this model cannot think up texts.
 */
export function contentIn(words: string, phrase: Phrase, talk: Talk): Content | undefined {
  const given = words.trim().replace(link, '').trim()
  const bare = given.replace(introduction, '')
  const quote = phrase.quote(bare.replace(/[.,;]+$/, ''))
  if (quote) return { type: 'text', text: quote.text }
  if (previous.test(given) && !(whole.test(given) && !talk.hasPrevious)) {
    return talk.hasPrevious || talk.lastAnswer === undefined ? { type: 'previous' } : { type: 'text', text: talk.lastAnswer }
  }
  const task = talk.understand(`give ${given}`) ?? (talk.files && whole.test(given) ? talk.understand(`give ${given} of it`) : undefined)
  if (task && task.acts !== 'writes') return { type: 'task', task }
  const isPlain = bare !== given || (given !== '' && given.split(/\s+/).length <= maxPlainWords && !thoughtUp.test(given))
  return isPlain ? { type: 'text', text: phrase.raw(bare) } : undefined
}
