import { listDir } from '../acts/list-dir.ts'
import { closeNames } from '../../../util/text.ts'
import { code, listed } from '../language/english.ts'
import { takeFolder } from '../language/folders.ts'
import { baseName, takePaths } from '../language/names.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import type { Intent } from './intent.ts'

/** "does a.txt exist?": its folder says. */
export const exists: Intent = {
  name: 'exists',
  examples: ['does tsconfig.json exist?'],
  group: 'Find and count',
  tools: ['list_dir', 'shell'],
  starts: 'does|do|is there|whether|if there',
  recognise: (phrase) => {
    const asked = phrase.take(
      /^\W*(?:does|do you (?:see|have|find)|do we have|is there|whether|check (?:if|whether)|see (?:if|whether))\s+(?:there\s+is\s+)?(?:a\s+|the\s+)?(?:file\s+)?(?:called\s+|named\s+)?/i,
    )
    if (!asked) return undefined
    const [path, ...more] = takePaths(phrase, { anyQuote: true })
    if (path === undefined || more.length > 0) return undefined
    const said = phrase.take(/\b(?:exists?|is\s+there|there|here)\b\W*$/i)
    const folder = /[\\/]/.test(path) ? path.slice(0, -baseName(path).length).replace(/(?<=.)[\\/]+$/, '') : (takeFolder(phrase) ?? '.')
    if (!said && !/\b(?:do you|do we|is there|there is)\b/i.test(phrase.whole)) return undefined
    return {
      aim: `see whether ${code(path)} exists`,
      isExact: true,
      files: { type: 'named', paths: [path] },
      work: (site) => lookFor(site, path, folder),
    }
  },
}

function* lookFor(site: Site, path: string, folder: string): Work<Finding> {
  const listing = yield* listDir(site, folder)
  if (!listing.ok) return failed(listing.said)
  const name = baseName(path)
  const entry = listing.value.entries.find((one) => one.name === name)
  const where = folder === '.' ? 'this folder' : code(folder)
  if (entry) return { say: `Yes, ${code(name)} is in ${where}${entry.isFolder ? '; it is a folder' : ''}.`, value: 'yes' }
  if (!listing.value.complete) return { say: `I did not see ${code(name)} in ${where}, but I did not see all of it.`, value: 'unknown' }
  const near = closeNames(
    name,
    listing.value.entries.map((one) => one.name),
  )
  return {
    say: `No, ${where} has no ${code(name)}.${near.length > 0 ? ` The nearest that it has: ${listed(near.map(code))}.` : ''}`,
    value: 'no',
  }
}
