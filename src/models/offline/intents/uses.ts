import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import { asObject, parseJson } from '../facts/json.ts'
import { packageDependencies } from '../facts/package-json.ts'
import { code } from '../language/english.ts'
import { filesSaid } from '../language/files.ts'
import type { Files } from '../language/names.ts'
import { quoteWord } from '../language/quotes.ts'
import type { Finding } from '../site.ts'
import { failed } from '../site.ts'
import type { Intent } from './intent.ts'

const name = `(${quoteWord}|@?[\\w./-]*[\\w-])`
const owner = '(?:package\\.json|it|(?:this|the|my|our)\\s+(?:project|package|repo|repository|app))'
const forms: readonly RegExp[] = [
  new RegExp(
    `^\\W*(?:does|do|whether|if)\\s+(?:${owner}|we|you)\\s+(?:depends?\\s+on|uses?|needs?|requires?)\\s+(?:the\\s+package\\s+)?${name}\\W*$`,
    'i',
  ),
  new RegExp(
    `^\\W*(?:is|whether|if)\\s+${name}\\s+(?:is\\s+)?(?:a|an|one\\s+of\\s+the)\\s+(?:(?:dev|peer|direct)[\\s-]?)?dependenc(?:y|ies)(?:\\s+(?:of|in)\\s+${owner})?\\W*$`,
    'i',
  ),
]

const manifest: Files = { type: 'named', paths: ['package.json'] }

/** "does this project use zod?": its package.json says. */
export const uses: Intent = {
  name: 'uses',
  examples: ['does this project use zod?'],
  group: 'Find and count',
  tools: ['read_file'],
  starts: 'does|do we|is|whether|if (?:it|we)',
  recognise: (phrase) => {
    for (const form of forms) {
      const match = phrase.take(form)
      if (!match) continue
      const wanted = phrase.plain(match[1]!)
      return {
        aim: `see in ${filesSaid(manifest)} whether ${code(wanted)} is used`,
        isExact: true,
        files: manifest,
        work: (site) => eachFile(site, manifest, { range: { whole: true }, make: (file) => usesFinding(file, wanted) }),
      }
    }
    return undefined
  },
}

function usesFinding(file: FileText, wanted: string): Finding {
  const parsed = parseJson(contentOf(file))
  const object = parsed.ok ? asObject(parsed.value) : undefined
  if (!file.complete) return failed(`${partNote(file)} So I do not say whether it names ${code(wanted)}.`)
  if (!object) return failed(`${code(file.path)} is not JSON that I can read, so I cannot tell.`)
  for (const { group, versions } of packageDependencies(object)) {
    if (Object.hasOwn(versions, wanted))
      return { say: `Yes, ${code(file.path)} names ${code(wanted)} ${versions[wanted]} in its ${group}.`, value: 'yes' }
  }
  return { say: `No, ${code(file.path)} does not name ${code(wanted)} as a dependency.`, value: 'no' }
}
