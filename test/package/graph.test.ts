import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../../scripts/entries.mjs'
import { importsOf } from './imports.ts'

describe('what the root entry loads at once', () => {
  const { own, outside } = staticGraph('src/index.ts', read)

  it('is the core alone, of the sources', () => {
    expect(own.filter((path) => /^src\/(providers|toolkit|permissions|testing|cli)\//.test(path))).toEqual([])
    expect(own).toContain('src/agent/agent.ts')
  })

  it('is no package but those that the bundle contains: nothing of Node, no schema library', () => {
    expect(outside.filter((name) => !bundled.includes(name))).toEqual([])
  })

  it('is a handful of built files, and nothing from outside', () => {
    const built = staticGraph('dist/index.js', read)
    expect(built.outside).toEqual([])
    expect(built.own.length).toBeLessThanOrEqual(10)
  })
})

describe('the built files', () => {
  it('hold one copy of each error class, so that instanceof is true whatever entry it came from', () => {
    const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
    const copies = files.flatMap((path) => read(posix.join('dist', path)).match(/\bclass AgentError\w*|\bAgentError\w* = class\b/g) ?? [])
    expect(copies).toHaveLength(1)
  })
})

describe('a planted import', () => {
  const files: Record<string, string> = {
    'src/a.ts': "import { b } from './b/b.ts'\nimport type { Tool } from './type.ts'\nexport const later = () => import('./later.ts')",
    'src/b/b.ts': "export * from '../c.ts'\nimport 'node:fs'",
    'src/c.ts': "import { z } from 'zod'",
  }

  it('is found at any depth; a type, and what waits until it is used, does not count', () => {
    expect(staticGraph('src/a.ts', (path) => files[path] ?? '')).toEqual({
      own: ['src/a.ts', 'src/b/b.ts', 'src/c.ts'],
      outside: ['node:fs', 'zod'],
    })
  })
})

/** The modules that are loaded with the first one, and what they import besides. */
function staticGraph(
  entry: string,
  text: (path: string) => string,
): { readonly own: readonly string[]; readonly outside: readonly string[] } {
  const own = new Set([entry])
  const outside = new Set<string>()
  for (const path of own) {
    for (const { from, kind } of importsOf(path, text(path))) {
      if (kind !== 'value') continue
      if (from.startsWith('.')) own.add(posix.join(posix.dirname(path), from))
      else outside.add(from)
    }
  }
  return { own: [...own], outside: [...outside] }
}

function read(path: string): string {
  if (!existsSync(path)) throw new Error(`There is no ${path}. Was \`npm run build\` run?`)
  return readFileSync(path, 'utf8')
}
