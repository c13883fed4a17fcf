import { contentOf } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import { readFile } from '../acts/read-file.ts'
import { writeFile } from '../acts/write-file.ts'
import { code, fenced, plural, shortened } from '../language/english.ts'
import type { Content } from '../language/content.ts'
import { contentIn } from '../language/content.ts'
import { gap } from '../language/quotes.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import { done } from '../work.ts'
import type { Intent } from './intent.ts'
import { pathIn, textOf } from './write.ts'

const form = new RegExp(
  `^(.+)\\s(?:to|onto|at)\\s+(?:the\\s+(end|bottom|start|beginning|top)\\s+of\\s+)?(?:(?:the|my)\\s+)?(file\\s+)?(?:(?:called|named)\\s+)?(\\uE000\\d+\\uE001|[^\\s,;:]*[^\\s,;:.?!])(?:\\s*:?\\s*(\\uE000\\d+\\uE001))?[.?!]*$`,
  'is',
)

export const append: Intent = {
  name: 'append',
  examples: ['append "one more line" to notes.txt'],
  group: 'Change files',
  tools: ['write_file', 'read_file'],
  starts: 'append|add|prepend',
  recognise: (phrase, talk) => {
    const verb = phrase.take(/^\W*(append|add|prepend)(?=\s|$)/i)?.[1]?.toLowerCase()
    const match = verb === undefined ? null : form.exec(` ${phrase.text.replaceAll(gap, ' ').trim()}`)
    const path = pathIn(match?.[4], match?.[3], phrase, talk)
    if (!match || path === undefined) return undefined
    const said = match[5] ?? match[1]!.trim()
    const content = contentIn(said, phrase, talk)
    const atStart = verb === 'prepend' || /^(?:start|beginning|top)$/i.test(match[2] ?? '')
    phrase.takeAll()
    const aim = `add to ${code(path)}`
    if (!content)
      return {
        aim,
        acts: 'writes',
        isTalk: true,
        work: () =>
          done(
            failed(
              `I did not change ${code(path)}: “${shortened(phrase.raw(said), 80)}” is not a text that I was given, and I cannot think one up. Put the text in quotes.`,
            ),
          ),
      }
    return {
      aim,
      acts: 'writes',
      usesPrevious: content.type === 'previous' || (content.type === 'task' && content.task.usesPrevious),
      from: content.type === 'task' ? content.task.files : undefined,
      files: { type: 'named', paths: [path] },
      work: (site) => add(site, path, content, atStart),
    }
  },
}

function* add(site: Site, path: string, content: Content, atStart: boolean): Work<Finding> {
  const source = yield* textOf(site, content, path)
  if (!source.ok) return failed(source.said)
  const { text, note } = source.value
  const old = yield* readFile(site, path, { whole: true })
  if (!old.ok) {
    const isMissing =
      old.outcome !== undefined &&
      old.outcome.code === undefined &&
      /\bdoes not exist\b|\bno such file\b|\bnot found\b|ENOENT/i.test(old.outcome.text)
    if (!isMissing) return failed(old.said)
    const created = yield* writeFile(site, path, text, 'keep')
    return created.ok
      ? { say: `${code(path)} did not exist, so I created it with ${code(shortened(text, 120))}.`, value: text }
      : failed(created.said)
  }
  const refused = unsafe(old.value)
  if (refused) return failed(`I did not change ${code(path)}: ${refused}`)
  const before = contentOf(old.value)
  const { lineEnd } = old.value
  const added = text.replaceAll(/\r?\n/g, lineEnd)
  const whole = atStart ? `${added}${before}` : `${before}${before === '' || before.endsWith('\n') ? '' : lineEnd}${added}`
  const written = yield* writeFile(site, path, whole, 'known')
  if (!written.ok) return failed(written.said)
  const shown = text.trimEnd()
  const said = shown.includes('\n') || shown.length > 120 ? plural(shown.split('\n').length, 'line') : code(shown)
  const total = old.value.lines.length + text.split('\n').length - 1
  return {
    say: `I added ${said} at the ${atStart ? 'beginning' : 'end'} of ${code(path)}, which has ${plural(total, 'line')} now.${note}${shown.includes('\n') && shown.length < 600 ? `\n\n${fenced(shown)}` : ''}`,
    value: text,
  }
}

/** Writing the file anew would lose what was not shown of it. */
export function unsafe(file: FileText): string | undefined {
  if (!file.complete) return 'it is too long for me to read all of it, and I would have to write all of it.'
  return file.exact
    ? undefined
    : 'not all of it was shown to me as it is (long lines, or unusual characters or line ends), and I would have to write all of it.'
}
