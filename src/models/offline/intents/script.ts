import { contentOf } from '../acts/each-file.ts'
import { readFile } from '../acts/read-file.ts'
import { asObject, parseJson } from '../facts/json.ts'
import { code, listed } from '../language/english.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import type { Intent } from './intent.ts'
import { runTask } from './run.ts'

const known = 'tests?|unit tests|test suite|lint|linter|build|type ?check|formatter|benchmarks?'
const form = new RegExp(
  `^\\W*(?:run|execute|do|start)\\s+(?:(?:all|the|my|our|a|its)\\s+)*(?:(${known})(?:\\s+scripts?)?|([\\w:.-]+)\\s+scripts?)(?=\\W*$)`,
  'i',
)

/** "run the tests": what that is, the project's package.json says. */
export const script: Intent = {
  name: 'script',
  examples: ['run the tests'],
  group: 'Run commands',
  tools: ['shell'],
  starts: 'run|execute',
  recognise: (phrase) => {
    const match = phrase.take(form)
    if (!match) return undefined
    const name = match[2] ?? scriptFor(match[1]!.toLowerCase())
    return { aim: `run the script ${code(name)}`, acts: 'runs', work: (site) => runScript(site, name) }
  },
}

const scriptFor = (word: string): string => {
  if (/test/.test(word)) return 'test'
  if (word.startsWith('type')) return 'typecheck'
  return word.startsWith('lint') ? 'lint' : word === 'formatter' ? 'format' : word.startsWith('bench') ? 'bench' : word
}

function* runScript(site: Site, name: string): Work<Finding> {
  const manifest = yield* readFile(site, 'package.json', { whole: true })
  if (!manifest.ok)
    return failed(`I do not know which command that is: I looked for a script ${code(name)} in package.json. ${manifest.said}`)
  const parsed = parseJson(contentOf(manifest.value))
  const scripts = Object.keys((parsed.ok ? asObject(asObject(parsed.value)?.['scripts']) : undefined) ?? {})
  if (!scripts.includes(name))
    return failed(
      `package.json has no script ${code(name)}${scripts.length > 0 ? `; it has ${listed(scripts.map(code))}` : ' and no scripts at all'}. Tell me the command itself in backticks.`,
    )
  return yield* runTask([name === 'test' ? 'npm test' : `npm run ${name}`]).work(site)
}
