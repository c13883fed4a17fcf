import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import type { PartName } from '../facts/parts.ts'
import { partsIn, pluralOf } from '../facts/parts.ts'
import { code } from '../language/english.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import { takePartWord } from '../language/part-word.ts'
import type { Finding } from '../site.ts'
import type { Intent } from './intent.ts'

const maxShown = 60

export const parts: Intent = {
  name: 'parts',
  examples: ['list the functions in src/index.ts', 'which headings does README.md have?'],
  group: 'Look at files',
  tools: ['read_file'],
  starts: 'list|show|what|which|name|find|give|tell',
  recognise: (phrase, talk) => {
    if (
      !phrase.take(/^\W*(?:list|show|what|which|name|find|give|tell|get|extract|print)(?:\s+me)?(?:\s+(?:is|are|does|do))?(?=\s|$)/i) &&
      !phrase.has(/^\W*(?:the|its|all)\b/i)
    )
      return undefined
    // "exports what", "imports what": the verb names the part.
    if (
      phrase.has(/\bfiles?\s+(?:that\s+|which\s+)?(?:imports?|exports?|define|use|contain)/i) ||
      /^\W*which\s+files?\b/i.test(phrase.whole)
    )
      return undefined
    const files = takeFiles(phrase, talk, { noPatterns: true }) ?? (phrase.has(/\bin\s/i) ? undefined : talk.files)
    const part = takePartWord(phrase)
    if (!part || !files) return undefined
    phrase.take(/\b(?:does|do|has|have|defines?|contains?|declares?|there|is|are|it|exports?|imports?)\b/i)
    const aim = `list the ${pluralOf(part)} of ${filesSaid(files)}`
    return {
      aim,
      files,
      usesPrevious: files.type === 'found',
      work: (site) => eachFile(site, files, { range: { whole: true }, make: (file) => partsFinding(file, part) }),
    }
  },
}

function partsFinding(file: FileText, part: PartName): Finding {
  const name = code(file.path)
  const found = partsIn(part, file.path, contentOf(file))
  if (!found) return { say: `I do not know how to find ${pluralOf(part)} in ${name}.`, failed: true }
  const note = partNote(file) && `\n\n${partNote(file)}`
  if (part === 'title')
    return found[0] === undefined
      ? { say: `${name} has no heading, so I see no title.${note}`, failed: true }
      : { say: `The title of ${name} is “${found[0]}”.${note}`, value: found[0] }
  if (found.length === 0) return { say: `I found no ${pluralOf(part)} in ${name}.${note}`, value: '' }
  const shown = found.slice(0, maxShown).map((one) => `- ${one}`)
  if (found.length > maxShown) shown.push(`- and ${found.length - maxShown} more`)
  const count = found.length === 1 ? `1 ${part === 'todo' ? 'TODO' : part}` : `${found.length} ${pluralOf(part)}`
  return { say: `${name} has ${count}:\n\n${shown.join('\n')}${note}`, value: found.join('\n') }
}
