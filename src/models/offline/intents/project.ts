import { contentOf } from '../acts/each-file.ts'
import { listDir } from '../acts/list-dir.ts'
import type { FileText } from '../acts/read-file.ts'
import { readFile } from '../acts/read-file.ts'
import { describeListing } from '../facts/listing.ts'
import { headingsOf, leadOf } from '../facts/markdown.ts'
import { describePackage } from '../facts/package-json.ts'
import { code, shortened } from '../language/english.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import { all } from '../work.ts'
import type { Intent } from './intent.ts'

const thing = '(?:this|the|my|our)\\s+(?:project|repo|repository|codebase|code base|app|application|package|workspace|program)'
const form = new RegExp(
  `^\\W*(?:(?:what(?:'s|’s| is| does)|describe|summari[sz]e|explain|what\\s+can\\s+you\\s+(?:say|tell\\s+(?:me|us))\\s+about|tell\\s+(?:me|us)\\s+(?:something\\s+)?about|give\\s+(?:me\\s+)?(?:an?\\s+)?(?:short\\s+|brief\\s+)?(?:overview|summary|description)\\s+of|look at|explore|analy[sz]e)\\s+${thing}(?:\\s+(?:about|do|does|for|all about))?|what\\s+(?:kind|sort)\\s+of\\s+project\\s+is\\s+this|what\\s+is\\s+this)\\W*$`,
  'i',
)

/** "What is this project?": the folder, its package.json and its readme say. */
export const project: Intent = {
  name: 'project',
  examples: ['what is this project?'],
  group: 'Look at files',
  tools: ['list_dir'],
  starts: 'what|describe|summari[sz]e|explain|tell|explore|analy[sz]e',
  recognise: (phrase) => (phrase.take(form) ? { aim: 'describe this project', folder: '.', work: describeProject } : undefined),
}

function* describeProject(site: Site): Work<Finding> {
  const listing = yield* listDir(site, '.')
  if (!listing.ok) return failed(listing.said)
  const names = listing.value.entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name)
  const readme = names.find((name) => /^readme\.md$/i.test(name)) ?? names.find((name) => /^readme(?:\.\w+)?$/i.test(name))
  const wanted = [...(readme === undefined ? [] : [readme]), ...(names.includes('package.json') ? ['package.json'] : [])]
  const reads = yield* all(wanted.map((path) => readFile(site, path, { whole: true })))
  const said: string[] = []
  for (const read of reads) said.push(read.ok ? fileSaid(read.value) : read.said)
  if (wanted.length === 0) said.push('I see neither a readme nor a package.json here, so I can only say what there is:')
  said.push(describeListing(listing.value).say)
  return { say: said.join('\n\n'), value: said.join('\n\n') }
}

function fileSaid(file: FileText): string {
  const text = contentOf(file)
  if (file.path === 'package.json') return describePackage(file.path, text)
  const title = headingsOf(text)[0]?.text
  const lead = leadOf(text)
  const named = title === undefined ? '' : ` is headed “${shortened(title, 120)}”`
  if (lead === undefined) return title === undefined ? `${code(file.path)} says nothing in its first lines.` : `${code(file.path)}${named}.`
  return `${code(file.path)}${named}${named ? ' and' : ''} begins: “${shortened(lead, 500)}”`
}
