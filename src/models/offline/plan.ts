import { intents } from './intents/index.ts'
import type { Intent, Talk, Task } from './intents/intent.ts'
import type { Clause } from './language/clauses.ts'
import { clausesOf, trimClause } from './language/clauses.ts'
import { Phrase, reverses } from './language/phrase.ts'
import type { Quote } from './language/quotes.ts'
import { mask, unmask } from './language/quotes.ts'

/** One part of the request: what is to be done for it, or nothing where it was not understood. */
export type Step = {
  readonly said: string
  readonly link: Clause['link']
  readonly task: Task | undefined
  /** Words of it that were not understood, and are left out. */
  readonly leftOut: readonly string[]
}

export type Plan = { readonly steps: readonly Step[] }

/** What the conversation was about before. */
export type Before = { readonly prompts: readonly string[]; readonly lastAnswer: string | undefined }

const anyStart = new RegExp(
  `^(?:${intents.map(({ starts }) => starts).join('|')}|what|which|how|where|who|whether|say|tell|does|is there|are there)(?=$|[\\s:,]|'s|’s|[^\\w.-])`,
  'i',
)

/** Beyond these a part of a request is prose, not an order. */
const maxClauseLength = 400
const maxLeftOutWords = 4
const maxSplits = 8

/** More text, and more parts, are not looked at; they count as not understood. */
const maxMasked = 20_000
const maxClauses = 50

/** An earlier prompt that is longer is not asked what "it" means. */
const maxEarlier = 2000

/** What a prompt asks for, step by step. The same prompt always gives the same plan. */
export function planOf(prompt: string, before: Before): Plan {
  let subject: Subject | undefined
  // Found out only when something is said that needs it.
  return plan(prompt, () => (subject ??= subjectOf(before.prompts)), before.lastAnswer)
}

type Subject = Pick<Talk, 'files' | 'folder'>

const nothing: Subject = { files: undefined, folder: undefined }

/** What "it" means at the beginning: what an earlier prompt was about, the newest that was about anything. */
function subjectOf(prompts: readonly string[]): Subject {
  for (const prompt of prompts.filter(({ length }) => length <= maxEarlier)) {
    const tasks = plan(prompt, () => nothing, undefined).steps.flatMap(({ task }) => task ?? [])
    const files = tasks.findLast((task) => task.files !== undefined)?.files
    const folder = tasks.findLast((task) => task.folder !== undefined)?.folder
    if (files !== undefined || folder !== undefined) return { files, folder }
  }
  return nothing
}

function plan(prompt: string, subject: () => Subject, lastAnswer: string | undefined): Plan {
  const { text: masked, quotes } = mask(prompt)
  const steps: Step[] = []
  const clauses: Clause[] = []
  // A quote that is cut through is none.
  const all = clausesOf(masked.slice(0, maxMasked).replace(/\uE000\d*$/, ''), anyStart)
  const waiting = all.slice(0, maxClauses)
  const beyond = `${all
    .slice(maxClauses)
    .map(({ text }) => text)
    .join(' ')}${masked.slice(maxMasked)}`.trim()
  for (let clause = waiting.shift(); clause; clause = waiting.shift()) {
    const talk = talkAfter(steps)
    const understood = understand(clause.text, quotes, talk)
    if (understood) {
      add(clause, understood)
      continue
    }
    const next = waiting[0]
    if (next && next.separator !== '' && next.link === 'and') {
      // "write stop and list to a.txt": what looked like the beginning of a new request was not one. But words that belong to
      // no request must not become a part of a command.
      const longer = { ...clause, text: clause.text + next.separator + next.text }
      const whole = understand(longer.text, quotes, talk, { exactly: true })
      if (whole && whole.task.acts !== 'runs') {
        waiting.shift()
        add(longer, whole)
        continue
      }
    }
    const last = clauses.at(-1)
    if (last && clause.separator !== '' && clause.link === 'and' && steps.at(-1)!.task && !steps.at(-1)!.task!.acts) {
      const longer = { ...last, text: last.text + clause.separator + clause.text }
      const whole = understand(longer.text, quotes, talkAfter(steps.slice(0, -1)), { exactly: true })
      if (whole && !whole.task.acts) {
        steps.pop()
        clauses.pop()
        add(longer, whole)
        continue
      }
    }
    // "list src and sing a song": the part that is understood is done.
    const split = splitOff(clause, talk)
    if (split) {
      add(split.first, split.understood)
      waiting.unshift(split.rest)
    } else add(clause, undefined)
  }
  if (beyond !== '') add({ text: beyond, link: 'and', separator: '' }, undefined)
  return { steps: fetching(steps) }

  function add(clause: Clause, understood: Understood | undefined): void {
    steps.push({
      said: unmask(clause.text, quotes, 'raw').replaceAll(/[\uE000-\uE002]/g, ''),
      link: clause.link,
      task: understood?.task,
      leftOut: understood?.leftOut ?? [],
    })
    clauses.push(clause)
  }

  function splitOff(
    clause: Clause,
    talk: Talk,
  ): { readonly first: Clause; readonly understood: Understood; readonly rest: Clause } | undefined {
    for (const match of [...clause.text.matchAll(/,?\s+and\s+|,\s+/gi)].slice(0, maxSplits)) {
      const text = clause.text.slice(0, match.index)
      const understood = understand(text, quotes, talk, { exactly: true })
      if (understood && !understood.task.acts)
        return {
          first: { ...clause, text },
          understood,
          rest: { text: clause.text.slice(match.index + match[0].length), link: 'and', separator: match[0] },
        }
    }
    return undefined
  }

  function talkAfter(before: readonly Step[]): Talk {
    const tasks = before.flatMap(({ task }) => task ?? [])
    const talk: Talk = {
      get files() {
        return tasks.findLast(({ files }) => files !== undefined)?.files ?? subject().files
      },
      get folder() {
        return tasks.findLast(({ folder }) => folder !== undefined)?.folder ?? subject().folder
      },
      hasPrevious: tasks.some(({ isTalk }) => !isTalk),
      ranCommand: tasks.some(({ acts }) => acts === 'runs'),
      lastAnswer,
      understand: (part) => understand(part, quotes, talk, { exactly: true })?.task,
    }
    return talk
  }
}

type Understood = { readonly task: Task; readonly leftOut: readonly string[] }

function understand(text: string, quotes: readonly Quote[], talk: Talk, { exactly = false } = {}): Understood | undefined {
  const whole = trimClause(text, 'and').text
  if (whole.length > maxClauseLength || /^(?:don't|don’t|do not|never|no need to|stop|avoid)\b/i.test(whole)) return undefined
  let best: (Understood & { readonly words: number }) | undefined
  for (const intent of intents) {
    const found = recognised(intent, whole, quotes, talk)
    if (!found) continue
    const words = found.leftOut.reduce((sum, piece) => sum + piece.split(/\s+/).length, 0)
    if (words === 0) return found
    // What changes something is done as it was said, or not at all.
    const fits = !exactly && found.task.acts === undefined && !found.task.isExact && words <= maxLeftOutWords && !reverses(found.leftOut)
    if (fits && (!best || words < best.words)) best = { ...found, words }
  }
  return best
}

function recognised(intent: Intent, text: string, quotes: readonly Quote[], talk: Talk): Understood | undefined {
  const phrase = new Phrase(text, quotes)
  const task = intent.recognise(phrase, talk)
  return task && { task, leftOut: phrase.leftovers() }
}

/** "read a.txt and say …": where a later step is about the same files, reading them is only the way to it. */
function fetching(steps: readonly Step[]): readonly Step[] {
  return steps.map((step, at) => {
    const { task } = step
    if (!task?.fetches) return step
    const same = (files: Task['files']): boolean => files !== undefined && JSON.stringify(files) === JSON.stringify(task.files)
    const isMeans = steps
      .slice(at + 1)
      .some(({ task: later }) => later !== undefined && (same(later.files) || same(later.from) || later.usesPrevious))
    return isMeans ? step : { ...step, task: { ...task, fetches: false } }
  })
}
