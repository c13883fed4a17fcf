import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import { listDir } from '../acts/list-dir.ts'
import type { FileText } from '../acts/read-file.ts'
import { describe } from '../facts/describe.ts'
import { describeListing } from '../facts/listing.ts'
import { describeText } from '../facts/plain-text.ts'
import { code } from '../language/english.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import { takeFolder } from '../language/folders.ts'
import type { Phrase } from '../language/phrase.ts'
import type { Finding } from '../site.ts'
import { failed } from '../site.ts'
import { done } from '../work.ts'
import type { Intent, Task } from './intent.ts'

const verbs =
  /^\W*(?:summari[sz]e|sum up|describe|explain|outline|analy[sz]e|inspect|introduce|tell (?:me|us) (?:something |more |all )?about)(?=\s|$)/i
const nouns =
  /\b(?:(?:give|show|write|make|get|tell)\s+(?:me\s+|us\s+)?)?(?:(?:a|an|the)\s+)?(?:(?:short|brief|quick|concise)\s+)?(?:summary|overview|outline|description|synopsis|gist)\s+(?:of|for)\b/i
/* "what it does", "what a.ts is about": behind "tell me" the verb stands last. */
const turned = /^\W*what\s+(?=\S+\s+(?:is\s+(?:all\s+)?about|does|do)\W*$)/i
const about = /^\W*what(?:'s|’s| is| are| does| do)\s(?=.*\b(?:about|do|doing|for)\W*$)/i
const whatIs = /^\W*what(?:'s|’s| is| are)\s+(?!in\b|inside\b)(?=\S+\W*$)/i

export const summarise: Intent = {
  name: 'summarise',
  examples: ['summarise README.md', 'describe src/index.ts'],
  group: 'Look at files',
  tools: ['read_file'],
  starts: 'summari[sz]e|describe|explain|outline|tell|give|what|sum up|analy[sz]e|inspect',
  recognise: (phrase, talk) => {
    const asked = phrase.take(verbs) ?? phrase.take(nouns)
    if (!asked && !phrase.take(turned) && !phrase.take(about) && !phrase.take(whatIs)) return undefined
    const given = asked && takeGiven(phrase)
    if (given) return given
    const files = takeFiles(phrase, talk, {
      anyQuote: asked !== undefined,
      bareWord: /^\W*(?:summari[sz]e|describe|inspect)\b/i.test(phrase.whole),
    })
    phrase.take(/\b(?:in short|in (?:a few|one|two|three|\d+) (?:words?|sentences?|lines?))\b/i)
    phrase.take(/\b(?:is\s+)?(?:all\s+)?(?:about|doing|do|does|for)\b\W*$/i)
    if (files) {
      return {
        aim: `summarise ${filesSaid(files)}`,
        files,
        usesPrevious: files.type === 'found',
        work: (site) => eachFile(site, files, { range: { whole: true }, make: described, listsFolders: true }),
      }
    }
    const folder = asked && takeFolder(phrase)
    return folder === undefined ? undefined : describeFolder(folder)
  },
}

/** A text that stands in the request itself. */
function takeGiven(phrase: Phrase): Task | undefined {
  const given = phrase.quotes.findIndex(({ kind }) => kind === 'given' || kind === 'fence')
  if (given < 0 || !phrase.take(new RegExp(`\\uE000${given}\\uE001`))) return undefined
  phrase.take(/\b(?:the\s+|this\s+)?(?:following(?:\s+text)?|text(?:\s+below)?|this|below)\b/i)
  const said = describeText(undefined, phrase.quotes[given]!.text)
  return { aim: 'describe the text', work: () => done({ say: said, value: said }) }
}

const describeFolder = (folder: string): Task => ({
  aim: `describe ${code(folder)}`,
  folder,
  work: function* (site) {
    const listing = yield* listDir(site, folder)
    return listing.ok ? describeListing(listing.value) : failed(listing.said)
  },
})

function described(file: FileText): Finding {
  const note = partNote(file)
  const text = describe(file.path, contentOf(file))
  return { say: note === '' ? text : `${text}\n\n${note} So this is about that part.`, value: text }
}
