import { posix } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { entriesOf } from '../../scripts/entries.mjs'
import type { Import } from './imports.ts'
import { importsOf } from './imports.ts'

/** From the inside out: a ring may import those before it. */
const core = [
  'messages',
  'models',
  'interrupts',
  'checkpoints',
  'hooks',
  'host',
  'results',
  'tools',
  'output',
  'context',
  'sessions',
  'agent',
]
/** Around the core, and strangers to each other. */
const adapters = ['durable', 'loading', 'mcp', 'providers', 'toolkit', 'permissions', 'session-stores', 'telemetry', 'testing']
/** What the root entry is made of. */
const inner = ['util', 'errors', ...core]

/** May load another ring when it is first used: a provider by its name, a tool by a string. */
const doors = ['src/models/resolve.ts', 'src/tools/registry.ts']

/** All that the terminal agent sees of the rest. */
const publicEntries = entriesOf(manifest).flatMap(({ subpath, source }) => (subpath === undefined ? [] : [source]))

/** Says of each import that breaks the order of the rings where it stands and why. Takes the text of each file by its path. */
export function breaches(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, code]) =>
    importsOf(path, code).flatMap((found) => {
      const reason = found.from.startsWith('.')
        ? judge(path, posix.join(posix.dirname(path), found.from), found.kind)
        : judgePackage(found.from)
      return reason === undefined ? [] : [`${path} imports ${found.from} (${found.kind}): ${reason}`]
    }),
  )
}

const judgePackage = (name: string): string | undefined =>
  /^lena-agent(\/|$)/.test(name) ? 'inside the package the path is relative' : undefined

function judge(path: string, target: string, kind: Import['kind']): string | undefined {
  const from = ringOf(path)
  const to = ringOf(target)
  if (from === undefined) return `${path} is in no ring, name its folder in test/package/rings.ts`
  if (to === undefined) return `${target} is in no ring`
  if (from === to) return undefined
  if (to === 'cli') return 'nothing imports the terminal agent'
  if (kind === 'dynamic' && doors.includes(path)) return undefined
  if (from === 'cli') return publicEntries.includes(target) ? undefined : 'the terminal agent imports what package.json exports'
  if (to === 'util' || to === 'errors') return undefined
  if (from === 'util') return 'util knows nothing of the domain'
  if (from === 'index') return core.includes(to) ? undefined : 'the root entry reaches the core alone'
  if (adapters.includes(from)) return judgeAdapter(from, to, kind)
  if (!core.includes(to)) return 'the core knows no adapter, nor what is built of it'
  // A type is erased: the core names its ports wherever they stand.
  if (kind === 'type') return undefined
  return core.indexOf(to) < core.indexOf(from) ? undefined : `${from} is inside ${to}`
}

function judgeAdapter(from: string, to: string, kind: Import['kind']): string | undefined {
  if (adapters.includes(to)) return 'adapters do not know each other'
  if (from !== 'providers') return undefined
  return to === 'messages' || to === 'models' || (kind === 'type' && core.includes(to))
    ? undefined
    : 'a provider sees messages and models alone'
}

/** `src/tools/tool.ts` → `tools`, `src/errors.ts` → `errors`. */
function ringOf(path: string): string | undefined {
  const name = /^src\/([^/]+?)(\/.+|\.ts)$/.exec(path)?.[1]
  return name !== undefined && [...inner, ...adapters, 'index', 'cli'].includes(name) ? name : undefined
}
