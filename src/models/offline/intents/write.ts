import type { Written } from '../acts/write-file.ts'
import { writeFile } from '../acts/write-file.ts'
import { countsOf } from '../facts/plain-text.ts'
import { code, fenced, listed, plural, shortened } from '../language/english.ts'
import type { Content } from '../language/content.ts'
import { contentIn } from '../language/content.ts'
import { looksLikePath } from '../language/names.ts'
import type { Phrase } from '../language/phrase.ts'
import { gap } from '../language/quotes.ts'
import type { Finding, Got, Site } from '../site.ts'
import { failed, got, joined, lacking } from '../site.ts'
import type { Work } from '../work.ts'
import { all, done } from '../work.ts'
import type { Intent, Talk, Task } from './intent.ts'

const verbs = /^\W*(write(?:\s+down)?|save|put|store|create|make|touch|generate|record|copy)(?:\s+me)?(?=\s|$)/i
const target = `(?:(?:a|an|the|my)\\s+)?(?:(?:new|empty|text|blank)\\s+)*(file\\s+)?(?:(?:called|named)\\s+)?`
const name = `(\\uE000\\d+\\uE001|[^\\s,;:]*[^\\s,;:.?!])`
const filled = `(?:,?\\s*(?:with|containing|that\\s+(?:says|contains|has|reads)|which\\s+(?:says|contains|has|reads)|saying|and\\s+(?:put|write)|having)\\b|:|\\s(?=\\uE000))`

/* "a.txt with …" has the content behind the file, "… to a.txt" before it. */
const fileFirst = new RegExp(
  `^(?:(?:(?:this|these lines|the following(?:\\s+(?:text|lines|content))?|the text|text|it)\\s+)?(?:to|into|in)\\s+)?${target}${name}\\s*${filled}\\s*(.+)$`,
  'is',
)
const contentFirst = new RegExp(`^(.+)\\s(?:to|into|in|as|inside|onto)\\s+${target}${name}[.?!]*$`, 'is')
const fileAlone = new RegExp(`^${target}${name}[.?!]*$`, 'is')

export const write: Intent = {
  name: 'write',
  examples: ['write "hello" to notes.txt', 'count the lines of README.md and write the number to count.txt'],
  group: 'Change files',
  tools: ['write_file'],
  starts: 'write|save|put|store|create|make|touch|record',
  recognise: (phrase, talk) => {
    const verb = phrase.take(verbs)?.[1]?.toLowerCase()
    if (verb === undefined) return undefined
    const creates = /^(?:create|make|touch|generate)$/.test(verb)
    const words = phrase.text.replaceAll(gap, ' ').trim()
    // `"a" to x.txt and "b" to y.txt`
    const several = words.split(/\s*(?:,\s*(?:and\s+)?|\s+and\s+)(?=\uE000\d+\uE001\s+(?:to|into|in)\s)/i)
    if (several.length > 1) {
      const tasks = several.map((part) => taskIn(part, creates, phrase, talk))
      phrase.takeAll()
      return tasks.every((task) => task !== undefined) ? together(tasks) : undefined
    }
    const task = taskIn(words, creates, phrase, talk)
    if (task) phrase.takeAll()
    return task
  },
}

function taskIn(words: string, creates: boolean, phrase: Phrase, talk: Talk): Task | undefined {
  const first = fileFirst.exec(words)
  const last = contentFirst.exec(words)
  const alone = creates || /\b(?:empty|blank)\b/i.test(words) ? fileAlone.exec(words) : undefined
  const path = pathIn(first?.[2], first?.[1], phrase, talk)
  if (path !== undefined) return taskFor(path, first![3]!)
  const behind = pathIn(last?.[3], last?.[2], phrase, talk)
  if (behind !== undefined) return taskFor(behind, last![1]!)
  const only = pathIn(alone?.[2], alone?.[1], phrase, talk)
  return only === undefined ? undefined : writeTask(only, { type: 'text', text: '' }, 'keep')

  function taskFor(file: string, said: string): Task {
    const content = contentIn(said, phrase, talk)
    return content ? writeTask(file, content, creates ? 'keep' : 'replace') : cannotThinkUp(file, shortened(phrase.raw(said), 80))
  }
}

const together = (tasks: readonly Task[]): Task => ({
  aim: listed(tasks.map(({ aim }) => aim)),
  acts: 'writes',
  usesPrevious: tasks.some(({ usesPrevious }) => usesPrevious),
  work: function* (site) {
    return joined(yield* all(tasks.map(({ work }) => work(site))))
  },
})

/** The path that a word is: it looks like one, is quoted, is called a file, or means the file that was talked about. */
export function pathIn(word: string | undefined, fileWord: string | undefined, phrase: Phrase, talk: Talk): string | undefined {
  if (word === undefined) return undefined
  const quote = phrase.quote(word)
  if (quote)
    return (quote.kind === 'quote' || quote.kind === 'code') && !quote.text.includes('\n') ? quote.text.trim() || undefined : undefined
  if (/^(?:it|there|that)$/i.test(word))
    return talk.files?.type === 'named' && talk.files.paths.length === 1 ? talk.files.paths[0] : undefined
  return looksLikePath(word) || (fileWord !== undefined && /^[\w-]+$/.test(word)) ? word : undefined
}

function writeTask(path: string, content: Content, existing: 'replace' | 'keep'): Task {
  return {
    aim: `write ${code(path)}`,
    acts: 'writes',
    usesPrevious: content.type === 'previous' || (content.type === 'task' && content.task.usesPrevious),
    from: content.type === 'task' ? content.task.files : undefined,
    files: { type: 'named', paths: [path] },
    work: function* (site) {
      const source = yield* textOf(site, content, path)
      if (!source.ok) return failed(source.said)
      const { text, note } = source.value
      const written = yield* writeFile(site, path, text, existing)
      if (!written.ok) return failed(written.said)
      return { say: `${wroteSaid(path, text)}${replacedSaid(written.value)}${note}`, value: text }
    },
  }
}

function replacedSaid({ replaced, said }: Written): string {
  if (replaced !== undefined) return ` The file existed; I read it first and replaced its ${plural(replaced, 'line')}.`
  return /^Overwrote\b/.test(said) ? ' It replaced what was in the file.' : ''
}

type WrittenText = { readonly text: string; readonly note: string }

/** The text that a content stands for. A text of its own lines ends with a newline, as files do. */
export function* textOf(site: Site, content: Content, path: string): Work<Got<WrittenText>> {
  if (content.type === 'text') return got({ text: ended(content.text), note: '' })
  const finding: Finding | undefined = content.type === 'previous' ? site.previous : yield* content.task.work({ ...site, quiet: true })
  const value = finding?.value
  // The output of a command that failed is still its output.
  if (value === undefined || (finding?.failed && finding.exitCode === undefined))
    return lacking(
      `${content.type === 'task' && finding?.say ? `${finding.say}\n\n` : ''}I did not write ${code(path)}, because there is nothing to write.`,
    )
  if (finding?.partial)
    return lacking(`I did not write ${code(path)}: I have not seen all of what should be written, or not exactly as it is.`)
  // The step before has told it; of a command within the request only this is told.
  const note =
    content.type === 'task' && finding?.failed ? ` The command failed with exit code ${finding.exitCode}: this is what it printed.` : ''
  return got({ text: ended(value), note })
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** What was written, shown where it is short. */
function wroteSaid(path: string, text: string): string {
  if (text === '') return `I created ${code(path)}, empty.`
  const { lines, characters } = countsOf(text)
  if (lines === 1 && text.length <= 120) return `I wrote ${code(text.trimEnd())} to ${code(path)}.`
  const size = `I wrote ${plural(lines, 'line')} (${plural(characters, 'character')}) to ${code(path)}`
  return lines <= 10 && text.length <= 800 ? `${size}:\n\n${fenced(text)}` : `${size}.`
}

const cannotThinkUp = (path: string, what: string): Task => ({
  aim: `write ${code(path)}`,
  acts: 'writes',
  isTalk: true,
  work: () =>
    done(
      failed(
        `I did not write ${code(path)}: “${what}” is not a text that I was given, and I cannot think one up. I can write a text that you put in quotes, or something that I found in a file or a command.`,
      ),
    ),
})
