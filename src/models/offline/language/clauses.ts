/** One thing that is asked for. */
export type Clause = {
  readonly text: string
  /** `then` means: only after what stands before it. */
  readonly link: 'and' | 'then'
  /** What parts it from the one before, as it was written. Nothing where a sentence begins. */
  readonly separator: string
}

/* What may stand around a request without changing it. */
const opening =
  /^[\s,:-]*(?:(?:and|also|now|please|kindly|just|quickly|simply|so|well|ok|okay|hey|hello|hi|lena|can you|could you|would you|will you|can i|could i|may i|i want you to|i need you to|i want to|i need to|i would like you to|i would like to|i'd like you to|i'd like to|i'd love to|let's|let us|let me|go ahead and|try to|go and|help me to|help me|first|firstly|second|secondly|third|thirdly|you should|you can)(?=[\s,:]|$)[\s,:]*)/i
const openingThen =
  /^[\s,]*(?:then|next|finally|lastly|afterwards|afterward|after that|after this|after which|when done|once done|when that is done)(?=[\s,:]|$)[\s,:]*/i
const closing =
  /[\s,]*\b(?:please|for me|thanks|thank you|thank you very much|if you can|if you could|if possible|would you|will you|right now|now|as well|too|ok|okay)[\s!.?]*$/i
/* Said before a question, these only ask for its answer. */
const asking =
  /^(?:say|tell me|tell us|let me know|give me|show me|report|answer|explain to me|explain|find out|check|see|i wonder|do you know|i want to know)[\s,:]+(?=(?:what|which|how|who|whom|where|when|whether|if|in which)\b)/i

/* "Please do the following:" asks for nothing by itself. */
const announcement =
  /^(?:(?:do|perform|complete|handle|answer|carry out|work through|here (?:is|are)|i (?:want|need|have)|my|your)\s+)?(?:(?:all|each|of|the|these|this|my|me|following|next|few|some|two|three|several|things?|tasks?|steps?|items?|questions?|to-?dos?|requests?|list|in order|one by one|one after the other)[\s,]*)+:$/i

/* What follows is to be done or not, as it turns out. That is never parted from its condition. */
const condition = /^(?:if|unless|when|whenever|in case|provided|as soon as|as long as|until|once|after|before|while|instead of)\s/i

/**
 * Splits a masked prompt into the things that it asks for. Lines and sentences are apart; a comma or an "and" parts two
 * requests only where the words behind it begin one (`starts`), so that "a.txt and b.txt" stays together.
 */
export function clausesOf(masked: string, starts: RegExp): readonly Clause[] {
  const clauses: Clause[] = []
  for (const sentence of sentencesOf(masked)) {
    const isConditional = condition.test(trimClause(sentence, 'and').text)
    const parts: readonly Clause[] = isConditional ? [{ text: sentence, link: 'and', separator: '' }] : partsOf(sentence, starts)
    for (const part of parts) {
      const clause = { ...part, ...trimClause(part.text, part.link) }
      if (/[\p{L}\p{N}]/u.test(clause.text) && !announcement.test(clause.text)) clauses.push(clause)
    }
  }
  return clauses
}

function sentencesOf(masked: string): readonly string[] {
  const lines = masked.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ''))
  const joined: string[] = []
  for (const line of lines) {
    // What stands alone on its line belongs to the request above it: a fenced text, a quoted command.
    if (/^\s*\uE000\d+\uE001[.\s]*$/.test(line) && joined.length > 0) joined[joined.length - 1] += ` ${line.trim()}`
    else joined.push(line)
  }
  return joined.flatMap((line) => line.split(/(?<=[\p{L}\p{N}\uE001)\]/*])[.!?;]+(?:\s+|$)/u))
}

const separator = /,\s*(?:and\b|&|plus\b|but\b)?\s*(?:then\b\s*)?|\s(?:and|&|plus|as well as|along with)\s+(?:then\b\s*)?|\sthen\s+/gi

function partsOf(sentence: string, starts: RegExp): readonly Clause[] {
  const parts: Clause[] = []
  let from = 0
  let link: Clause['link'] = 'and'
  let before = ''
  for (const match of sentence.matchAll(separator)) {
    const end = match.index + match[0].length
    if (match.index < from || !begins(sentence.slice(end), starts)) continue
    parts.push({ text: sentence.slice(from, match.index), link, separator: before })
    from = end
    before = match[0]
    link = /then\s*$/i.test(match[0]) ? 'then' : 'and'
  }
  parts.push({ text: sentence.slice(from), link, separator: before })
  return parts
}

/** Enough to see how a request begins, politeness included. */
const longestBeginning = 160

function begins(rest: string, starts: RegExp): boolean {
  const { text } = trimClause(rest.slice(0, longestBeginning), 'and')
  return starts.test(text)
}

/** Takes away politeness and what only links; says whether it meant "then". */
export function trimClause(text: string, link: Clause['link']): Pick<Clause, 'text' | 'link'> {
  let rest = text.trim()
  let linked = link
  for (let before = ''; before !== rest;) {
    before = rest
    const then = openingThen.exec(rest)
    if (then) linked = 'then'
    rest = rest.slice(then?.[0].length ?? 0)
    rest = rest.replace(opening, '').replace(closing, '').trim()
  }
  // "hello" and "thanks" alone are what was said, not what stands around it.
  return { text: rest === '' ? text.trim() : rest.replace(asking, ''), link: linked }
}
