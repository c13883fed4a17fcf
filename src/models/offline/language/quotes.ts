/** Text that the user set apart: it is taken as it stands and never read as a part of the sentence. */
export type Quote = {
  readonly kind: 'fence' | 'code' | 'quote' | 'given'
  /** What is inside. */
  readonly text: string
  /** As it was written, with its marks. */
  readonly raw: string
}

/** A sentence in which each quote is one unbreakable word, `quoteWord` by number. */
export type Masked = { readonly text: string; readonly quotes: readonly Quote[] }

const open = '\uE000'
const close = '\uE001'

/** Where something was taken out of a phrase. */
export const gap = '\uE002'

/** One quote in a masked text, as the source of a regular expression. */
export const quoteWord = `${open}\\d+${close}`

const onlyQuote = new RegExp(`^${open}(\\d+)${close}$`)
const anyQuote = new RegExp(`${open}(\\d+)${close}`, 'g')
const marks = new RegExp(`[${open}${close}${gap}]`, 'g')

/* In this order where they begin at the same place: a fence (closed or not), code, double, typographic and single quotes. A
   single quote opens only before a word and closes only behind one, so that "what's" and "don't" stay words. */
const quoted =
  /(```)(?:[^\n`]*\n)?([\s\S]*?)(?:```|$)|(`)([^`\n]{1,2000})`|(")([^"]*)"|(“)([^”]{0,2000})”|(?<=^|[\s([{:=,])(')((?:[^'\n]|'(?=\w)){1,500})'(?=$|[\s)\]},.;:!?])|(?<=^|[\s([{:=,])(‘)([^’\n]{1,500})’/g

/* "write this to a.txt:" and, on the next lines, what to write; "summarise this text:" and the text. */
const writesGiven = /\b(?:write|create|save|append|add|put|make)\b.*:[ \t]*$/i
const readsGiven = /\b(?:this|following|below|text)\b.*[:.]?[ \t]*$/i
const looksAtText = /\b(?:summari[sz]e|describe|count|how many|how long|words?|lines?|characters?)\b/i
const nameOfFile = /[\w*]\.\w|\//

export function mask(prompt: string): Masked {
  const quotes: Quote[] = []
  const keep = (quote: Quote): string => `${open}${quotes.push(quote) - 1}${close}`
  const clean = prompt.replaceAll('\r\n', '\n').replace(marks, '')
  const { head, given } = splitGiven(clean)
  const text = head.replace(quoted, (raw: string, ...groups: (string | undefined)[]) => {
    const mark = groups.findIndex((group, index) => index % 2 === 0 && group !== undefined)
    const kind = groups[mark] === '```' ? 'fence' : groups[mark] === '`' ? 'code' : 'quote'
    return keep({ kind, text: groups[mark + 1] ?? '', raw })
  })
  const all = given === undefined ? text : `${text} ${keep({ kind: 'given', text: given, raw: given })}`
  return { text: all.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n\s*/g, '\n'), quotes }
}

/** Cuts off a text that is given on the lines below the request. A list of things to do is not one, nor is fenced text. */
function splitGiven(prompt: string): { readonly head: string; readonly given: string | undefined } {
  const end = prompt.indexOf('\n')
  if (end < 0 || end > 300) return { head: prompt, given: undefined }
  const head = prompt.slice(0, end)
  const rest = prompt.slice(end).replace(/^[ \t]*\n+/, '')
  if (rest.trim() === '' || rest.startsWith('```')) return { head: prompt, given: undefined }
  const writes = writesGiven.test(head) && nameOfFile.test(head)
  const reads = looksAtText.test(head) && readsGiven.test(head) && !nameOfFile.test(head)
  return writes || reads ? { head, given: rest.endsWith('\n') ? rest : `${rest}\n` } : { head: prompt, given: undefined }
}

/** The quote that a word stands for. */
export function quoteOf(word: string, quotes: readonly Quote[]): Quote | undefined {
  const number = onlyQuote.exec(word.trim())?.[1]
  return number === undefined ? undefined : quotes[Number(number)]
}

/** Puts the quotes back: `inside` gives what they hold, `raw` what was written. */
export function unmask(text: string, quotes: readonly Quote[], form: 'inside' | 'raw'): string {
  return text.replace(anyQuote, (_, number: string) => {
    const quote = quotes[Number(number)]
    return (form === 'raw' ? quote?.raw : quote?.text) ?? ''
  })
}
